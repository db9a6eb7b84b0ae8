/**
 * The limit of a message on MongoDB: `node bench/limits/mongo.ts <address of a database of Telex> <process of the database> <in flight>`. The driver
 * writes the same documents as Telex for a message with a nonce, all messages in flight in one transaction of two commands. It does not check
 * or read anything, or index messages later. Prints one line of JSON with its figures.
 */
import { type ClientBulkWriteModel, type Document, MongoClient } from "mongodb";
import { measureMessages } from "../lib/message-cost.ts";

const [url = "", database = "0", inFlight = "1"] = process.argv.slice(2);
const client = await new MongoClient(url).connect();
const name = client.db().databaseName;
const options = { writeConcern: { w: "majority", journal: true }, readConcern: { level: "snapshot" } } as const;
const room = 1;

/** About as many terms as the search stores for a text of two words and a number. */
const terms = Array.from({ length: 12 }, (_, index) => 1000 + index * 77);

function messageOf(seq: number): Document {
  const id = Date.now() * 1000 + seq;
  const text = { content: '[{"type":"text","data":{"text":"hello there"}}]', pinyin: "hello there" };
  const sender = { userId: "7", external: false, nickname: "Ada", nicknamePinyin: "Ada", botMessageId: null };
  const times = { createTime: id, receiveTime: id };
  return { _id: { a: room, b: seq }, groupId: room, seq, id, type: 0, ...text, ...sender, ...times, terms };
}

function nonceOf(seq: number): Document {
  const nonce = `nonce ${seq}`;
  const of = { groupId: room, userId: "7", external: false, nonce, fingerprint: "f".repeat(64), seq, at: seq };
  return { _id: { a: room, b: "7", c: 0, d: nonce }, ...of };
}

const insert = (collection: string, document: Document): ClientBulkWriteModel => ({
  name: "insertOne",
  namespace: `${name}.${collection}`,
  document,
});

const replace = (collection: string, filter: Document, replacement: Document): ClientBulkWriteModel => ({
  name: "replaceOne",
  namespace: `${name}.${collection}`,
  filter,
  replacement,
  upsert: true,
});

let last = 0;

/** One transaction with this many messages. */
async function write(count: number): Promise<void> {
  const seqs = Array.from({ length: count }, (_, index) => last + index + 1);
  last += count;
  const writes = [
    replace("heads", { _id: room }, { seq: last, last, newest: last }),
    ...seqs.map((seq) => insert("messages", messageOf(seq))),
    replace("readMarkers", { _id: { a: room, b: 7 } }, { groupId: room, userId: 7, seq: last }),
    ...seqs.map((seq) => insert("messageNonces", nonceOf(seq))),
  ];
  await client.withSession((session) =>
    session.withTransaction(() => client.bulkWrite(writes, { session, ordered: true }), options),
  );
}

const figures = await measureMessages({
  inFlight: Number(inFlight),
  database: Number(database),
  async send(count, together, acknowledged) {
    for (let left = count; left > 0; left -= together) {
      const begun = performance.now();
      const some = Math.min(left, together);
      await write(some);
      for (let index = 0; index < some; index += 1) acknowledged(performance.now() - begun);
    }
  },
});
process.stdout.write(`${JSON.stringify(figures)}\n`);
