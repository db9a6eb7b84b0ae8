/**
 * The minimal cost of the queue of a device: `node bench/limits/queue.ts <folder>`. A POST stores a text in SQLite, with one transaction
 * and one sync for all texts of a tick. A GET returns the 100 oldest waiting texts, and marks them in the next transaction. As in Telex,
 * the program keeps in memory which texts were taken, so that the response does not wait for a sync.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { DatabaseSync } from "node:sqlite";

const [folder = "."] = process.argv.slice(2);
const database = new DatabaseSync(`${folder}/limit.db`);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE message (device TEXT, id INTEGER, content TEXT, created INTEGER, delivered INTEGER, PRIMARY KEY (device, id)) WITHOUT ROWID;
  CREATE INDEX waiting ON message (device, id) WHERE delivered = 0`);
const insert = database.prepare("INSERT INTO message VALUES (?, ?, ?, ?, 0)");
const oldest = database.prepare(`SELECT id, device, content, created FROM message INDEXED BY waiting
  WHERE device = ? AND delivered = 0 AND id > ? ORDER BY id LIMIT 100`);
const mark = database.prepare("UPDATE message SET delivered = 1 WHERE device = ? AND id = ?");

let id = 0;
/** The id of the newest message that a GET took. */
let taken = 0;
let batch: (() => (() => void) | null)[] = [];

function commit(): void {
  const running = batch;
  batch = [];
  database.exec("BEGIN IMMEDIATE");
  const settles = running.map((verb) => verb());
  database.exec("COMMIT");
  for (const settle of settles) settle?.();
}

function inTransaction(verb: () => (() => void) | null): void {
  if (batch.push(verb) === 1) setImmediate(commit);
}

function answer(response: ServerResponse, data: unknown): void {
  const text = JSON.stringify({ code: 200, msg: "success", data });
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);
}

const view = (device: unknown, number: unknown, content: unknown, created: number) => ({
  id: number,
  deviceId: device,
  direction: "to_device",
  content,
  delivered: 1,
  createdAt: new Date(created).toISOString(),
});

function send(response: ServerResponse, { deviceId, content }: { deviceId: string; content: string }): void {
  inTransaction(() => {
    id += 1;
    const [number, created] = [id, Date.now()];
    insert.run(deviceId, number, content, created);
    return () => answer(response, view(deviceId, number, content, created));
  });
}

function fetch(response: ServerResponse, device: string): void {
  const rows = taken === id ? [] : oldest.all(device, taken);
  taken = Number(rows.at(-1)?.["id"] ?? taken);
  answer(
    response,
    rows.map((row) => view(row["device"], row["id"], row["content"], Number(row["created"]))),
  );
  if (rows.length === 0) return;
  inTransaction(() => {
    for (const row of rows) mark.run(device, Number(row["id"]));
    return null;
  });
}

const isAllowed = ({ headers }: IncomingMessage): boolean => headers.authorization === "Bearer token";

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (!isAllowed(request)) response.writeHead(401).end();
    else if (request.method === "GET") fetch(response, "bench");
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own load sends
    else send(response, JSON.parse(Buffer.concat(chunks).toString()) as { deviceId: string; content: string });
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ port, tokens: ["token"] })}\n`);
});
process.stdin.resume();
