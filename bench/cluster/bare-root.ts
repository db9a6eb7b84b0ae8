import { type Db, type Document, MongoClient } from "mongodb";
import { createMongoStorage } from "@telex/storage-mongo";
import type { MongoServer } from "test-support/mongo";
import { median } from "../lib/statistics.ts";
import { startRoots } from "./roots.ts";
import { newDatabase } from "./servers.ts";
import { createFree } from "./share.ts";
import { processAt } from "./writes.ts";

const options = { writeConcern: { w: "majority", journal: true }, readConcern: { level: "snapshot" } } as const;

const messageOf = (groupId: number, seq: number): Document => {
  const id = Date.now() * 1000 + (seq % 1000);
  const text = { content: '[{"type":"text","data":{"text":"hello there"}}]', pinyin: "hello there" };
  const sender = { userId: "7", external: false, nickname: "Ada", nicknamePinyin: "Ada", botMessageId: null };
  const rest = { mentions: null, extras: null, changed: 0, terms: [], unindexed: true, edition: 1 };
  return {
    _id: { a: groupId, b: seq },
    groupId,
    seq,
    id: id * 1000 + seq,
    type: 0,
    ...text,
    ...sender,
    createTime: id,
    receiveTime: id,
    ...rest,
  };
};

const nonceOf = (groupId: number, seq: number): Document => ({
  _id: { a: groupId, b: "7", c: 0, d: `nonce ${seq}` },
  groupId,
  userId: "7",
  external: false,
  nonce: `nonce ${seq}`,
  fingerprint: "f".repeat(64),
  seq,
  at: Date.now(),
});

/**
 * Writes messages with nonces to one room until the time is over, `together` in each transaction and one transaction after another. Reads and
 * checks nothing. Returns the messages per second.
 */
async function writeRoom(
  db: Db,
  groupId: number,
  { together, time }: { readonly together: number; readonly time: number },
) {
  const begun = performance.now();
  let seq = 0;
  await db.client.withSession(async (session) => {
    while (performance.now() - begun < time) {
      const places = Array.from({ length: together }, (_, place) => seq + place + 1);
      await session.withTransaction(async () => {
        const upsert = { session, upsert: true };
        const head = { seq: seq + together, last: seq + together, newest: seq + together };
        await db.collection<{ _id: number }>("heads").updateOne({ _id: groupId }, { $set: head }, upsert);
        await db.collection("messages").insertMany(
          places.map((place) => messageOf(groupId, place)),
          { session },
        );
        await db.collection("messageNonces").insertMany(
          places.map((place) => nonceOf(groupId, place)),
          { session },
        );
        const marker: Document = { _id: { a: groupId, b: 7 } };
        await db.collection("readMarkers").replaceOne(marker, { groupId, userId: 7, seq: seq + together }, upsert);
      }, options);
      seq += together;
    }
  });
  return (seq / (performance.now() - begun)) * 1000;
}

/** Measures how many messages one room can carry, with the plain driver and with one server, in turns. */
export async function* measureBare(
  mongo: MongoServer,
  { rounds, seconds, clients }: { readonly rounds: number; readonly seconds: number; readonly clients: number },
): AsyncGenerator<string> {
  const database = newDatabase(mongo.url);
  await (await createMongoStorage({ url: database })).close();
  const client = await new MongoClient(database).connect();
  const roots = await startRoots(newDatabase(mongo.url), 1);
  const free = await createFree();
  const pids = [await processAt(mongo.port), process.pid, ...roots.all.map((child) => child.pid ?? 0)];
  for (const pid of pids) await free?.add(pid);
  const [bare, telex] = [Array<number>(), Array<number>()];
  const time = seconds * 1000;
  // The first round is slow.
  for (let round = 0; round <= rounds; round += 1) {
    const written = await writeRoom(client.db(), round + 1, { together: clients / 2, time });
    const { perSecond } = await roots.measure(1, {
      work: "room",
      key: round + 1,
      clients,
      time,
      most: Number.MAX_SAFE_INTEGER,
    });
    if (round === 0) continue;
    bare.push(written);
    telex.push(perSecond);
  }
  await Promise.all([client.close(), roots.end()]);
  await free?.remove();
  const ratios = telex.map((perSecond, round) => perSecond / (bare[round] ?? Number.NaN));
  yield `one room, the plain driver, ${clients / 2} messages in a transaction: ${median(bare).toFixed(0)}/s`;
  yield `  one server, ${clients} clients: ${median(telex).toFixed(0)}/s, ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}) of that`;
}
