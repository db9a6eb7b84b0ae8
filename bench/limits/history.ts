/**
 * The minimal cost of a page of history: `node:http` and a keyset query in SQLite, `node bench/limits/history.ts <folder> <messages>`.
 * `GET /?top=N` returns the ten messages from position N downwards, with the fields of the interface. Requests that arrive together read in one
 * transaction, as in Telex.
 */
import { createServer, type ServerResponse } from "node:http";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";

const [folder = ".", count = "0"] = process.argv.slice(2);
const database = new DatabaseSync(`${folder}/limit.db`);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
  CREATE TABLE message (room INTEGER, seq INTEGER, sender TEXT, type INTEGER, content TEXT, pinyin TEXT, nickname TEXT,
    nickname_pinyin TEXT, created INTEGER, received INTEGER, PRIMARY KEY (room, seq)) WITHOUT ROWID; BEGIN`);
const insert = database.prepare("INSERT INTO message VALUES (1, ?, '1', 0, ?, ?, ?, ?, ?, ?)");
const content = JSON.stringify([{ text: { text: "今天天气很好,我们一起去公园散步吧 (a line of chat)" } }]);
for (let seq = 1; seq <= Number(count); seq += 1)
  insert.run(seq, content, content, "用户 0", "yong4 hu4 0", Date.now(), Date.now());
database.exec("COMMIT");
const page = database.prepare("SELECT * FROM message WHERE room = 1 AND seq <= ? ORDER BY seq DESC LIMIT 10");
// Cheaper than columns by name.
page.setReturnArrays(true);

const view = (row: Readonly<Record<number, SQLOutputValue>>) => ({
  id: String(row[1]),
  groupId: row[0],
  groupType: 1,
  userId: row[2],
  type: row[3],
  content: row[4],
  pinyin: row[5],
  groupName: "房间",
  groupNamePinyin: "fang2 jian1",
  messageId: row[1],
  createTime: row[8],
  receiveTime: new Date(Number(row[9])).toISOString(),
  nickname: row[6],
  nicknamePinyin: row[7],
  avatar: `/api/avatar/get/personal?id=${String(row[2])}`,
});

function respond(target: string, response: ServerResponse): void {
  const top = Number(/top=(\d+)/.exec(target)?.[1] ?? count);
  const text = JSON.stringify({
    code: 200,
    msg: "success",
    data: { groupMessages: page.all(top).map(view) },
  });
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);
}

const waiting: (readonly [target: string, response: ServerResponse])[] = [];

function respondToAll(): void {
  if (waiting.length > 1) database.exec("BEGIN");
  for (const [target, response] of waiting) respond(target, response);
  if (waiting.length > 1) database.exec("COMMIT");
  waiting.length = 0;
}

const server = createServer((request, response) => {
  if (waiting.length === 0) setImmediate(respondToAll);
  waiting.push([request.url ?? "", response]);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ port })}\n`);
});
process.stdin.resume();
