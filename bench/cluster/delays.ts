import { once } from "node:events";
import { connect as connectNats } from "@nats-io/transport-node";
import { createNatsBus } from "@telex/bus-nats";
import type { Bus, Telex, TokenHolder } from "@telex/core";
import type { LiveEvent } from "@telex/core/transport";
import { createMongoBus, type MongoStorage } from "@telex/storage-mongo";
import { type ClientSession, type Collection, type Document, MongoClient } from "mongodb";
import { percentile } from "../lib/statistics.ts";
import { addCaller, addRooms, newDatabase, type Size, startServer } from "./servers.ts";

/** Measures one passage in milliseconds. */
type Passage = () => Promise<number>;

/** Resolves when an event arrives. */
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

/** The passage through plain NATS, between two clients. */
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

const text = "hello there".repeat(20);

/** Calls `come` for each change by a writer other than `own`, until its client is closed. */
async function watch(posts: Collection, own: string, come: () => void): Promise<void> {
  const wanted = { operationType: { $in: ["insert", "replace"] }, "documentKey._id": { $ne: own } };
  const stream = posts.watch([{ $match: wanted }], { maxAwaitTimeMS: 1000 });
  stream.on("change", come);
  await once(stream, "resumeTokenChanged");
  // The client was closed.
  stream.on("error", () => undefined);
}

/** Opens a database with the collection of posts for two clients, like two servers. */
async function openTwo(server: string) {
  const database = newDatabase(server);
  const [here, there] = [await new MongoClient(database).connect(), await new MongoClient(database).connect()];
  await here.db().createCollection("posts");
  return {
    here,
    there,
    posts: here.db().collection("posts"),
    close: async () => void (await Promise.all([here.close(), there.close()])),
  };
}

/** The passage through a plain change stream, from before the insert. */
async function openStream(server: string) {
  const { there, posts, close } = await openTwo(server);
  const arrivals = createArrivals();
  await watch(there.db().collection("posts"), "", arrivals.come);
  const pass: Passage = async () => {
    const next = arrivals.next();
    const begun = performance.now();
    await posts.insertOne({ text });
    return (await next) - begun;
  };
  return { pass, close };
}

/**
 * The steps of a mirrored message without Telex: a transaction that writes as much as a message, and then, timed from its commit, a write
 * to the document in which this server posts. The stream of the other server reports it, while this server watches as well.
 */
async function openSteps(server: string) {
  const { here, there, posts, close } = await openTwo(server);
  const arrivals = createArrivals();
  await watch(there.db().collection("posts"), "there", arrivals.come);
  await watch(posts, "here", () => undefined);
  const names = ["heads", "messages", "messageNonces", "readMarkers"];
  for (const name of names) await here.db().createCollection(name);
  const concerns = { writeConcern: { w: "majority", journal: true }, readConcern: { level: "snapshot" } } as const;
  let number = 0;
  const store = (session: ClientSession): Promise<unknown> =>
    session.withTransaction(async () => {
      number += 1;
      for (const name of names) await here.db().collection(name).insertOne({ number, text }, { session });
    }, concerns);
  const pass: Passage = async () => {
    await here.withSession(store);
    const next = arrivals.next();
    const begun = performance.now();
    const post: Document = { _id: "here" };
    const written = posts.replaceOne(post, { number, text }, { upsert: true, writeConcern: { w: 1 } });
    const arrived = await next;
    await written;
    return arrived - begun;
  };
  return { pass, close };
}

async function listen(telex: Telex, holder: TokenHolder, come: () => void): Promise<void> {
  const write = (events: readonly LiveEvent[]): void => {
    if (events.some(({ kind }) => kind === "message")) come();
  };
  await telex.listen({ holder, write, close: () => undefined }, { echo: true, since: null }).ready;
}

/** Measures the time between the mirror of a message on the server that stored it and the mirror on another server. */
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

/** The difference in milliseconds between two kinds of passages that ran in turns. */
function difference(times: ReadonlyMap<string, readonly number[]>, one: string, other: string): string {
  const before = times.get(other) ?? [];
  const all = (times.get(one) ?? []).map((time, place) => time - (before[place] ?? Number.NaN));
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => percentile(all, share).toFixed(2));
  return `p50 ${middle} ms more, half of them ${low} to ${high}`;
}

/** Measures the time of a message to another server, and that of the bus alone. */
export async function* measureDelays(
  { mongo, nats }: { readonly mongo: string; readonly nats: string },
  { rounds, messages }: Size,
): AsyncGenerator<string> {
  const parts = {
    "bare NATS": await openNats(nats),
    "a mirror over NATS": await openMirror(mongo, () => createNatsBus({ servers: [nats] })),
    "a bare change stream, with its insert": await openStream(mongo),
    "the steps of a mirror over change streams, without Telex": await openSteps(mongo),
    "a mirror over change streams": await openMirror(mongo, ({ connection }) => createMongoBus(connection)),
  };
  const times = new Map(Object.keys(parts).map((name) => [name, Array<number>()]));
  for (const { pass } of Object.values(parts)) for (let number = 0; number < 10; number += 1) await pass();
  for (let number = 0; number < rounds * messages; number += 1) {
    for (const [name, { pass }] of Object.entries(parts)) times.get(name)?.push(await pass());
  }
  for (const [name, all] of times) yield `${name}: ${show(all)} (${all.length})`;
  yield `  a mirror over NATS, to bare NATS: ${difference(times, "a mirror over NATS", "bare NATS")}`;
  for (const other of [
    "a bare change stream, with its insert",
    "the steps of a mirror over change streams, without Telex",
  ])
    yield `  a mirror over change streams, to ${other}: ${difference(times, "a mirror over change streams", other)}`;
  for (const part of Object.values(parts)) await part.close();
}
