/**
 * Sends messages with nonces to a room in this process: `node bench/servers/mongo.ts <address of a database> <process of the database> <in flight>`.
 * Prints one line of JSON with its figures.
 */
import { createLocalBus } from "@telex/core";
import { addCaller, addRooms, startServer } from "../cluster/servers.ts";
import { measureMessages } from "../lib/message-cost.ts";

const [url = "", database = "0", inFlight = "1"] = process.argv.slice(2);
const telex = await startServer(url, () => createLocalBus());
const caller = await addCaller(telex, "Ada");
const [groupId = 0] = await addRooms(telex, [caller.userId], 1);
let nonces = 0;

async function sendOne(): Promise<void> {
  nonces += 1;
  const message = `hello there ${nonces}`;
  await telex.messages.send(caller, { groupId, groupType: 1, message, nonce: `nonce ${nonces}` });
}

const figures = await measureMessages({
  inFlight: Number(inFlight),
  database: Number(database),
  async send(count, together, acknowledged) {
    let left = count;
    const sendNext = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const begun = performance.now();
        await sendOne();
        acknowledged(performance.now() - begun);
      }
    };
    await Promise.all(Array.from({ length: together }, sendNext));
  },
});
process.stdout.write(`${JSON.stringify(figures)}\n`);
