/**
 * Sends messages in this process, in turns to two instances on SQLite, one with and one without an index for the search:
 * `node bench/servers/send.ts <folder> <in flight>`. Prints one line of JSON: the median CPU time of a send, and the ratio.
 */
import { createFsBlobs } from "@telex/blobs/fs";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { chatText } from "../lib/chat-texts.ts";
import { median } from "../lib/statistics.ts";

const [folder = ".", inFlight = "1"] = process.argv.slice(2);
const images = createSharpEngine();
const turns = 14;
const perTurn = 384;

async function createSide(name: string, isIndexed: boolean) {
  const storage = await createSqliteStorage({ file: `${folder}/${name}.db` });
  if (!isIndexed) storage.messages.listUnindexed = () => Promise.resolve([]);
  const telex = await createTelex({ storage, blobs: createFsBlobs({ directory: `${folder}/${name}` }), images });
  const members: number[] = [];
  for (let index = 0; index < 10; index += 1) {
    members.push((await telex.operator.users.add(operator, { nickname: `用户 ${index}` })).id);
  }
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "房间", members });
  const [userId = 0] = members;
  const { token } = await telex.operator.tokens.issue(operator, { userId, scopes: ["chat"] });
  const caller = await telex.authenticate(token);
  /** CPU µs of each send, including its work in the background. */
  const send = async (count: number): Promise<number> => {
    let sent = 0;
    const one = async (): Promise<void> => {
      while (sent < count) {
        sent += 1;
        await telex.messages.send(caller, { groupId, groupType: 1, message: chatText(sent) });
      }
    };
    const before = process.cpuUsage();
    await Promise.all(Array.from({ length: Number(inFlight) }, one));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };
  return { send, times: Array<number>() };
}

const sides = [await createSide("with", true), await createSide("without", false)];
for (const { send } of sides) await send(1500);
for (let turn = 0; turn < turns; turn += 1) {
  for (const side of turn % 2 === 0 ? sides : sides.toReversed()) side.times.push(await side.send(perTurn));
}
const [own = [], others = []] = sides.map(({ times }) => times);
process.stdout.write(
  `${JSON.stringify({
    "CPU µs/send": median(own),
    "CPU µs/send, no index": median(others),
    ratio: median(own.map((time, turn) => time / (others[turn] ?? Number.NaN))),
  })}\n`,
);
process.exit(0);
