/**
 * The minimal cost of a small authenticated POST on `node:http`: `node bench/limits/post.ts <folder> [plain|store|same]`. `plain` looks
 * up a token in a map, parses the body, and responds with one `end`. `store` first stores the text in SQLite, with one transaction and one
 * sync for all texts of a tick. `same` does all the work of a call of Telex: it hashes the token, validates the body with a schema, checks
 * the owner of the device, stores the text, and numbers it.
 */
import { hash } from "node:crypto";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";

const [folder = ".", mode = "plain"] = process.argv.slice(2);
const tokens = new Map([
  ["token", 1],
  [hash("sha256", "token"), 1],
]);
const schema = z.object({
  deviceId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  content: z.string().min(1).max(2000),
  nonce: z.string().optional(),
});
const database = new DatabaseSync(`${folder}/limit.db`);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE message (id INTEGER PRIMARY KEY, device TEXT, content TEXT, created INTEGER);
  CREATE TABLE device (id TEXT PRIMARY KEY, owner INTEGER, name TEXT, seen INTEGER) WITHOUT ROWID;
  CREATE TABLE counter (value INTEGER); INSERT INTO counter VALUES (0); INSERT INTO device VALUES ('bench', 1, 'Bench', 0)`);
const insert = database.prepare("INSERT INTO message (device, content, created) VALUES (?, ?, ?)");
const findDevice = database.prepare("SELECT * FROM device WHERE id = ?");
const keepCounter = database.prepare("UPDATE counter SET value = value + ?");
let batch: (() => () => void)[] = [];

function commit(): void {
  const running = batch;
  batch = [];
  database.exec("BEGIN IMMEDIATE");
  const answers = running.map((verb) => verb());
  if (mode === "same") keepCounter.run(answers.length);
  database.exec("COMMIT");
  for (const answer of answers) answer();
}

const isBody = (body: unknown): body is { deviceId: string; content?: string } =>
  typeof body === "object" && body !== null && "deviceId" in body;

function readBody(text: string): { deviceId: string; content?: string } | null {
  const body: unknown = JSON.parse(text);
  if (mode !== "same") return isBody(body) ? body : null;
  const { deviceId, content } = schema.parse(body);
  return { deviceId, content };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const token = (request.headers.authorization ?? "").slice(7);
    const user = tokens.get(mode === "same" ? hash("sha256", token) : token);
    const body = readBody(Buffer.concat(chunks).toString());
    if (user === undefined || body === null) {
      response.writeHead(400).end();
      return;
    }
    const { deviceId, content = "" } = body;
    const answer = (id: number): void => {
      const data = {
        id,
        deviceId,
        direction: "from_device",
        content,
        delivered: 1,
        createdAt: new Date().toISOString(),
      };
      const text = JSON.stringify({ code: 200, msg: "success", data });
      const length = Buffer.byteLength(text);
      response.writeHead(200, { "content-type": "application/json", "content-length": length }).end(text);
    };
    if (mode === "plain") {
      answer(0);
      return;
    }
    const verb = () => {
      if (mode === "same" && findDevice.get(deviceId)?.["owner"] !== user) throw new Error("not the owner");
      const { lastInsertRowid } = insert.run(deviceId, content, Date.now());
      return () => answer(Number(lastInsertRowid));
    };
    if (batch.push(verb) === 1) setImmediate(commit);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ port, tokens: ["token"] })}\n`);
});
process.stdin.resume();
