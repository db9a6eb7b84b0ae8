/**
 * The minimal cost of a room in Node: `node bench/limits/group.ts <folder>`. The program parses each message, converts it to pinyin,
 * stores it in SQLite with one sync for all messages of a tick, and writes it to every member, joined with the other frames of the tick.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import { DatabaseSync } from "node:sqlite";
import { pinyin } from "pinyin-pro";

const [folder = "."] = process.argv.slice(2);
const database = new DatabaseSync(`${folder}/limit.db`);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE message (room INTEGER, seq INTEGER, content TEXT, pinyin TEXT, created INTEGER, PRIMARY KEY (room, seq)) WITHOUT ROWID`);
const insert = database.prepare("INSERT INTO message VALUES (1, ?, ?, ?, ?)");

interface Member {
  readonly socket: Duplex;
  rest: Buffer;
}

const members = new Set<Member>();
let seq = 0;
let batch: { readonly from: Member; readonly frame: Frame }[] = [];

function encode(text: string): Buffer {
  const body = Buffer.from(text);
  const head =
    body.length < 126
      ? Buffer.from([0x81, body.length])
      : Buffer.from([0x81, 126, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, body]);
}

function commit(): void {
  const running = batch;
  batch = [];
  database.exec("BEGIN IMMEDIATE");
  const stored = running.map(({ from, frame }) => {
    seq += 1;
    const text = frame.message[0]?.data.text ?? "";
    const content = JSON.stringify([{ text: { text } }]);
    const reading = JSON.stringify([{ text: { text: pinyin(text, { type: "array", toneType: "num" }).join(" ") } }]);
    const createTime = Date.now();
    insert.run(seq, content, reading, createTime);
    const mirror = encode(
      JSON.stringify({
        type: "GroupMessage",
        code: 200,
        data: {
          id: String(seq),
          groupId: 1,
          groupType: 1,
          userId: "1",
          type: 0,
          content,
          pinyin: reading,
          groupName: "房间",
          groupNamePinyin: "fang2 jian1",
          messageId: seq,
          createTime,
          receiveTime: new Date(createTime).toISOString(),
          nickname: "用户 0",
          nicknamePinyin: "yong4 hu4 0",
          avatar: "/api/avatar/get/personal?id=1",
        },
      }),
    );
    return {
      from,
      mirror,
      result: encode(
        JSON.stringify({
          type: "SendMessageResult",
          code: 200,
          identifier: frame.identifier,
          data: createTime,
          msg: "success",
        }),
      ),
    };
  });
  database.exec("COMMIT");
  for (const { from, result } of stored) from.socket.write(result);
  const joined = Buffer.concat(stored.map(({ mirror }) => mirror));
  const senders = new Set(stored.map(({ from }) => from));
  for (const member of members) {
    if (!senders.has(member)) member.socket.write(joined);
    else {
      const others = stored.filter(({ from }) => from !== member).map(({ mirror }) => mirror);
      if (others.length > 0) member.socket.write(Buffer.concat(others));
    }
  }
}

interface Frame {
  identifier: string;
  message: { data: { text: string } }[];
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own load sends
const parseFrame = (text: string): Frame => JSON.parse(text) as Frame;

/** Reads the frames of a client: masked, at most 64 KiB. */
function read(member: Member, chunk: Buffer): void {
  member.rest = Buffer.concat([member.rest, chunk]);
  for (;;) {
    const { rest } = member;
    if (rest.length < 6) return;
    const short = (rest[1] ?? 0) & 127;
    const start = short === 126 ? 8 : 6;
    const length = short === 126 ? rest.readUInt16BE(2) : short;
    if (rest.length < start + length) return;
    const body = Buffer.from(rest.subarray(start, start + length));
    for (let index = 0; index < length; index += 1)
      body[index] = (body[index] ?? 0) ^ (rest[start - 4 + (index & 3)] ?? 0);
    member.rest = rest.subarray(start + length);
    if (((rest[0] ?? 0) & 15) === 1 && batch.push({ from: member, frame: parseFrame(body.toString()) }) === 1)
      setImmediate(commit);
  }
}

const server = createServer();
server.on("upgrade", (request, socket: Duplex) => {
  const key = createHash("sha1")
    .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
  );
  const member: Member = { socket, rest: Buffer.alloc(0) };
  members.add(member);
  socket.on("data", (chunk: Buffer) => read(member, chunk));
  socket.on("error", () => members.delete(member));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(
    `${JSON.stringify({ port, groupId: 1, tokens: Array.from({ length: 2000 }, (_, index) => `t${index}`) })}\n`,
  );
});
process.stdin.resume();
