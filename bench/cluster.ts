/**
 * What an installation of several servers costs on one database: `node --conditions=telex-source bench/cluster.ts [--rounds 5]
 * [--messages 40]`. It installs a server for tests in Python and one of NATS. The parts are measured in turns, so that what else the
 * machine does falls on all of them. Prints CPU times, of this process and of the database, and delays.
 */
import { parseArgs } from "node:util";
import { installNats, startNats } from "test-support/nats";
import { startMongo } from "test-support/mongo";
import { measureDelays } from "./cluster/delays.ts";
import { measureEvents } from "./cluster/events.ts";
import { measureWrites } from "./cluster/writes.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, messages: { type: "string", default: "40" } },
});
const size = { rounds: Number(values.rounds), messages: Number(values.messages) };

await installNats();
const [mongo, nats] = [await startMongo({ isDurable: true }), await startNats()];
try {
  for await (const line of measureWrites(mongo, size)) console.log(line);
  for await (const line of measureDelays({ mongo: mongo.url, nats: nats.url }, size)) console.log(line);
  for await (const line of measureEvents(nats.url)) console.log(line);
} finally {
  await Promise.all([mongo.stop(), nats.kill()]);
}
process.exit(0);
