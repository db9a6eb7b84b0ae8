import { readdir, readFile } from "node:fs/promises";
import { createLocalBus, type Telex, type TokenHolder } from "@telex/core";
import { type Db, type Document, MongoClient } from "mongodb";
import { createMongoStorage } from "@telex/storage-mongo";
import type { MongoServer } from "test-support/mongo";
import { cpuOf } from "../lib/process.ts";
import { median } from "../lib/statistics.ts";
import { addCaller, addRooms, newDatabase, type Size, startServer } from "./servers.ts";

/** CPU time of one message, in milliseconds. */
interface Cost {
  readonly own: number;
  readonly database: number;
}

/** Sends `count` messages to each of the rooms, one after another in a room. */
type Send = (count: number) => Promise<unknown>;

/** Each round uses other rooms, so that their sizes stay the same. */
const parallel = 4;

/** The process that listens on a port. */
export async function processAt(port: number): Promise<number> {
  for (const pid of await readdir("/proc")) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.includes("secantusd") && command.includes(`\0${port}\0`)) return Number(pid);
  }
  throw new Error(`Nothing listens on ${port}.`);
}

async function costOf(send: Send, database: number, { messages }: Size): Promise<Cost> {
  const [own, other] = [process.cpuUsage(), await cpuOf(database)];
  await send(messages);
  const { user, system } = process.cpuUsage(own);
  const count = messages * parallel;
  return { own: (user + system) / 1000 / count, database: (((await cpuOf(database)) - other) * 1000) / count };
}

const inEach =
  (rooms: readonly number[], one: (room: number, number: number) => Promise<unknown>): Send =>
  async (count) =>
    await Promise.all(
      rooms.map(async (room) => {
        for (let number = 0; number < count; number += 1) await one(room, number);
      }),
    );

/** About as many terms as the search stores for a text of two words and a number. */
const terms = Array.from({ length: 12 }, (_, index) => 1000 + index * 77);

const textOf = (groupId: number, seq: number, id: number): Document => {
  const text = { content: '[{"type":"text","data":{"text":"hello there"}}]', pinyin: "hello there" };
  const sender = { userId: "7", external: false, nickname: "Ada", nicknamePinyin: "Ada", botMessageId: null };
  return { groupId, seq, id, type: 0, ...text, ...sender, createTime: id, receiveTime: id, terms };
};

/**
 * The writes of a message with a nonce, made by the driver in a database of Telex with its indexes: one transaction with the head of the
 * room, the message with its terms, the nonce, and the read marker of the sender. It reads nothing: one program assigns the numbers of
 * the room, checks no nonce, and does not mark messages that the search indexes later.
 */
function bareSend(client: MongoClient, db: Db, rooms: readonly number[]): Send {
  const options = { writeConcern: { w: "majority", journal: true }, readConcern: { level: "snapshot" } } as const;
  const collection = (name: string) => db.collection(name);
  let unique = 0;
  return inEach(rooms, (room) => {
    const seq = (unique += 1);
    const id = Date.now() * 1000 + seq;
    const marker = { groupId: room, userId: 7, seq };
    const nonce = { groupId: room, userId: "7", external: false, nonce: `nonce ${seq}`, fingerprint: "f".repeat(64) };
    return client.withSession((session) =>
      session.withTransaction(async () => {
        const upsert = { session, upsert: true };
        const head: Document = { _id: room };
        await collection("heads").updateOne(head, { $inc: { seq: 1 }, $set: { last: id, newest: id } }, upsert);
        const key: Document = { _id: { a: room, b: seq } };
        await collection("messages").insertOne({ ...key, ...textOf(room, seq, id) }, { session });
        const nonceKey: Document = { _id: { a: room, b: "7", c: 0, d: nonce.nonce } };
        await collection("messageNonces").insertOne({ ...nonceKey, ...nonce, seq, at: id }, { session });
        const markerKey: Document = { _id: { a: room, b: 7 } };
        await collection("readMarkers").replaceOne(markerKey, marker, upsert);
      }, options),
    );
  });
}

let nonces = 0;
const telexSend = (servers: readonly Telex[], caller: TokenHolder, rooms: readonly number[]): Send =>
  inEach(rooms, (groupId, number) => {
    const server = servers[groupId % servers.length] ?? servers[0];
    const message = {
      groupId,
      groupType: 1,
      message: `hello there ${number}`,
      nonce: `nonce ${(nonces += 1)}`,
    } as const;
    return server?.messages.send(caller, message) ?? Promise.resolve();
  });

const show = (costs: readonly Cost[]): string =>
  `${median(costs.map(({ own }) => own)).toFixed(2)} ms here, ${median(costs.map(({ database }) => database)).toFixed(2)} ms in the database`;

const ratios = (of: readonly Cost[], to: readonly Cost[], pick: (cost: Cost) => number): string => {
  const all = of.map((cost, round) => pick(cost) / pick(to[round] ?? cost)).toSorted((a, b) => a - b);
  return `${median(all).toFixed(2)} (${all[0]?.toFixed(2)}-${all.at(-1)?.toFixed(2)})`;
};

/** Measures a message with the plain driver, with one server, and with two servers that share the rooms. */
export async function* measureWrites(mongo: MongoServer, size: Size): AsyncGenerator<string> {
  const pid = await processAt(mongo.port);
  const client = await new MongoClient(mongo.url).connect();
  const bareDatabase = newDatabase(mongo.url);
  await (await createMongoStorage({ url: bareDatabase })).close();
  const bare = client.db(new URL(bareDatabase).pathname.slice(1));
  const database = newDatabase(mongo.url);
  // A bus in this process costs almost nothing. `delays.ts` measures the bus.
  const bus = createLocalBus();
  const servers = [await startServer(database, () => bus), await startServer(database, () => bus)] as const;
  const caller = await addCaller(servers[0], "Ada");
  const [rooms, shared] = [
    await addRooms(servers[0], [caller.userId], parallel),
    await addRooms(servers[0], [caller.userId], parallel),
  ];
  const sides: Readonly<Record<"bare" | "one" | "two", Send>> = {
    bare: bareSend(client, bare, rooms),
    one: telexSend([servers[0]], caller, rooms),
    two: telexSend(servers, caller, shared),
  };
  for (const send of Object.values(sides)) await send(10);
  const costs = { bare: Array<Cost>(), one: Array<Cost>(), two: Array<Cost>() };
  for (let round = 0; round < size.rounds; round += 1) {
    for (const name of ["bare", "one", "two"] as const) costs[name].push(await costOf(sides[name], pid, size));
  }
  await Promise.all([client.close(), ...servers.map((server) => server.close())]);
  const [own, other, both] = [
    ({ own: time }: Cost) => time,
    (cost: Cost) => cost.database,
    (cost: Cost) => cost.own + cost.database,
  ];
  yield `a message, the bare driver: ${show(costs.bare)}`;
  yield `a message, one server: ${show(costs.one)}`;
  yield `  to the bare driver: ${ratios(costs.one, costs.bare, both)} together, ${ratios(costs.one, costs.bare, own)} here, ${ratios(costs.one, costs.bare, other)} in the database`;
  yield `a message, two servers: ${show(costs.two)}`;
  yield `  to one server: ${ratios(costs.two, costs.one, own)} here, ${ratios(costs.two, costs.one, other)} in the database`;
}
