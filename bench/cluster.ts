/**
 * Measures an installation of several servers on one database: `node --conditions=telex-source bench/cluster.ts [part...] [--rounds 5]
 * [--messages 40] [--seconds 8] [--share 0.08] [--clients 60]`. The parts are `writes`, `delays`, `events`, `roots`, `bare`, `feed` and `carried`;
 * by default, all run. The program installs a test server in Python and a server of NATS. It measures compared subjects in turns, so that
 * other load of the machine affects all of them.
 *
 * `carried` starts each server in its own process, and limits it to `--share` of a core, in rounds of `--seconds`. It needs the right to
 * create control groups of Linux, which root has.
 */
import { parseArgs } from "node:util";
import { installNats, startNats } from "test-support/nats";
import { startMongo } from "test-support/mongo";
import { measureBare } from "./cluster/bare-root.ts";
import { measureCarried } from "./cluster/carry.ts";
import { measureDelays } from "./cluster/delays.ts";
import { measureEvents } from "./cluster/events.ts";
import { measureFeed } from "./cluster/feed.ts";
import { measureRoots } from "./cluster/roots.ts";
import { measureWrites } from "./cluster/writes.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    messages: { type: "string", default: "40" },
    seconds: { type: "string", default: "8" },
    share: { type: "string", default: "0.08" },
    clients: { type: "string", default: "60" },
  },
});
const size = { rounds: Number(values.rounds), messages: Number(values.messages) };
const bounds = { rounds: size.rounds, seconds: Number(values.seconds), share: Number(values.share) };

await installNats();
const [mongo, nats] = [await startMongo({ isDurable: true }), await startNats()];
const parts = {
  writes: () => measureWrites(mongo, size),
  delays: () => measureDelays({ mongo: mongo.url, nats: nats.url }, size),
  events: () => measureEvents(nats.url),
  roots: () => measureRoots(mongo, { ...bounds, clients: Number(values.clients) }),
  bare: () => measureBare(mongo, { ...bounds, clients: Number(values.clients) }),
  feed: () => measureFeed(mongo),
  carried: () => measureCarried({ mongo, nats }, bounds),
};
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    for await (const line of measure()) console.log(line);
  }
} finally {
  await Promise.all([mongo.stop(), nats.kill()]);
}
process.exit(0);
