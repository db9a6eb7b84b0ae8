import { setTimeout as delay } from "node:timers/promises";
import { connect as connectNats } from "@nats-io/transport-node";
import { createNatsBus } from "@telex/bus-nats";
import type { Bus, Telex, TokenHolder } from "@telex/core";
import type { LiveEvent } from "@telex/core/transport";
import { createMongoBus, type MongoStorage } from "@telex/storage-mongo";
import { MongoClient } from "mongodb";
import { percentile } from "../lib/statistics.ts";
import { addCaller, addRooms, newDatabase, type Size, startServer } from "./servers.ts";

/** Milliseconds of one passage. */
type Passage = () => Promise<number>;

/** Tells when an event has come. */
function createArrivals() {
  let arrived = Promise.withResolvers<number>();
  return {
    come: () => arrived.resolve(performance.now()),
    next(): Promise<number> {
      arrived = Promise.withResolvers();
      return arrived.promise;
    },
  };
}

/** A passage of bare NATS: between two clients. */
async function openNats(servers: string) {
  const [from, to] = [await connectNats({ servers }), await connectNats({ servers })];
  const arrivals = createArrivals();
  to.subscribe("bench", { callback: arrivals.come });
  await to.flush();
  const payload = JSON.stringify({ kind: "message", record: { id: 1, content: "hello there".repeat(20) } });
  const pass: Passage = async () => {
    const next = arrivals.next();
    const begun = performance.now();
    from.publish("bench", payload);
    return (await next) - begun;
  };
  return { pass, close: async () => void (await Promise.all([from.close(), to.close()])) };
}

/** A passage of a bare change stream, from before the insert. */
async function openStream(server: string) {
  const client = await new MongoClient(newDatabase(server)).connect();
  const posts = client.db().collection("posts");
  await client.db().createCollection("posts");
  const stream = posts.watch([], { maxAwaitTimeMS: 1000 });
  const arrivals = createArrivals();
  stream.on("change", arrivals.come);
  // The stream is open when the first change has come.
  const opened = arrivals.next();
  for (let isOpen = false; !isOpen;) {
    await posts.insertOne({ text: "first" });
    isOpen = await Promise.race([opened.then(() => true), delay(100, false)]);
  }
  const pass: Passage = async () => {
    const next = arrivals.next();
    const begun = performance.now();
    await posts.insertOne({ text: "hello there".repeat(20) });
    return (await next) - begun;
  };
  return {
    pass,
    async close() {
      await stream.close();
      await client.close();
    },
  };
}

async function listen(telex: Telex, holder: TokenHolder, come: () => void): Promise<void> {
  const write = (events: readonly LiveEvent[]): void => {
    if (events.some(({ kind }) => kind === "message")) come();
  };
  await telex.listen({ holder, write, close: () => undefined }, { echo: true, since: null }).ready;
}

/** From the moment at which the server that stored a message tells it, until another server does. */
async function openMirror(server: string, bus: (storage: MongoStorage) => Bus) {
  const database = newDatabase(server);
  const [here, there] = [await startServer(database, bus), await startServer(database, bus)];
  const caller = await addCaller(here, "Ada");
  const [groupId = 0] = await addRooms(here, [caller.userId], 1);
  const [told, mirrored] = [createArrivals(), createArrivals()];
  await listen(here, caller, told.come);
  await listen(there, caller, mirrored.come);
  const pass: Passage = async () => {
    const both = Promise.all([told.next(), mirrored.next()]);
    await here.messages.send(caller, { groupId, groupType: 1, message: "hello there" });
    const [before, after] = await both;
    return after - before;
  };
  return { pass, close: async () => void (await Promise.all([here.close(), there.close()])) };
}

const show = (times: readonly number[]): string =>
  `p50 ${percentile(times, 0.5).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms`;

/** How long a message takes to another server, beside what carries it. */
export async function* measureDelays(
  { mongo, nats }: { readonly mongo: string; readonly nats: string },
  { rounds, messages }: Size,
): AsyncGenerator<string> {
  const parts = {
    "bare NATS": await openNats(nats),
    "a mirror over NATS": await openMirror(mongo, () => createNatsBus({ servers: [nats] })),
    "a bare change stream, with its insert": await openStream(mongo),
    "a mirror over change streams": await openMirror(mongo, ({ connection }) => createMongoBus(connection)),
  };
  const times = new Map(Object.keys(parts).map((name) => [name, Array<number>()]));
  for (const { pass } of Object.values(parts)) for (let number = 0; number < 10; number += 1) await pass();
  for (let number = 0; number < rounds * messages; number += 1) {
    for (const [name, { pass }] of Object.entries(parts)) times.get(name)?.push(await pass());
  }
  for (const [name, all] of times) yield `${name}: ${show(all)} (${all.length})`;
  for (const part of Object.values(parts)) await part.close();
}
