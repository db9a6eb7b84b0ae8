/**
 * The least that a small authenticated POST costs on `node:http`: `node bench/limits/post.ts <folder> [store]`. It looks a
 * token up in a map, parses the body and answers with one `end`; with `store` it keeps the text in SQLite first, all that
 * arrive in one turn in one transaction with one sync.
 */
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

const [folder = ".", mode = "plain"] = process.argv.slice(2);
const tokens = new Map([["token", 1]]);
const database = new DatabaseSync(`${folder}/limit.db`);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE message (id INTEGER PRIMARY KEY, device TEXT, content TEXT, created INTEGER)`);
const insert = database.prepare("INSERT INTO message (device, content, created) VALUES (?, ?, ?)");
let batch: (() => () => void)[] = [];

function commit(): void {
  const running = batch;
  batch = [];
  database.exec("BEGIN IMMEDIATE");
  const answers = running.map((verb) => verb());
  database.exec("COMMIT");
  for (const answer of answers) answer();
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const user = tokens.get((request.headers.authorization ?? "").slice(7));
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (user === undefined || typeof body !== "object" || body === null || !("deviceId" in body)) {
      response.writeHead(400).end();
      return;
    }
    const answer = (id: number): void => {
      const text = JSON.stringify({ code: 200, msg: "success", data: { id, ...body, createdAt: new Date().toISOString() } });
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);
    };
    if (mode !== "store") {
      answer(0);
      return;
    }
    const content = "content" in body ? String(body.content) : "";
    if (batch.push(() => {
      const { lastInsertRowid } = insert.run(String(body.deviceId), content, Date.now());
      return () => answer(Number(lastInsertRowid));
    }) === 1) setImmediate(commit);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ port, tokens: ["token"] })}\n`);
});
process.stdin.resume();
