import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { percentile } from "./statistics.ts";

/** A member of a room on a bare socket: counts what it is told, and checks that ids grow. */
interface Member {
  readonly socket: Socket;
  mirrored: number;
  /** What it has sent: nobody is told of that. */
  sent: number;
  sentAt: number;
  wrong: number;
}

const path = "/external/api/v1/im/imWebSocket";
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const mark = Buffer.from('"messageId":');

/** A masked text frame; the mask is zero. */
function encode(text: string): Buffer {
  const body = Buffer.from(text);
  const head = body.length < 126 ? [0x81, 0x80 | body.length] : [0x81, 0xfe, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), body]);
}

function readFrames(socket: Socket, told: (body: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 2) {
      const short = (rest[1] ?? 0) & 127;
      const start = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (rest.length < start) return;
      const length = short === 126 ? rest.readUInt16BE(2) : short === 127 ? Number(rest.readBigUInt64BE(2)) : short;
      if (rest.length < start + length) return;
      if (rest[0] === 0x89) socket.write(pong);
      else told(rest.subarray(start, start + length));
      rest = rest.subarray(start + length);
    }
  });
}

async function join(
  port: number,
  token: string,
  result: (member: Member) => void,
  mirror: (member: Member) => void,
): Promise<Member> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  socket.write(
    `GET ${path}/${token} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
  );
  await once(socket, "data");
  const member: Member = { socket, mirrored: 0, sent: 0, sentAt: 0, wrong: 0 };
  let last = 0;
  readFrames(socket, (body) => {
    const at = body.indexOf(mark);
    if (at < 0) {
      if (!body.includes('"code":200')) member.wrong += 1;
      result(member);
      return;
    }
    const id = Number.parseInt(body.toString("latin1", at + mark.length, at + mark.length + 16), 10);
    if (id <= last) member.wrong += 1;
    last = id;
    member.mirrored += 1;
    mirror(member);
  });
  return member;
}

/** What a room's load has come to. */
export interface RoomResult {
  readonly deliveries: number;
  readonly seconds: number;
  /** Milliseconds from a send to its result. */
  readonly ackP50: number;
}

/**
 * So many members send, each one message after another, `total` in all; every other member has to be told each of them
 * once, in order.
 * @throws Error where one was not
 */
export async function roomLoad(
  port: number,
  options: {
    readonly tokens: readonly string[];
    readonly groupId: number;
    readonly total: number;
    readonly inFlight: number;
    readonly started: () => Promise<void>;
  },
): Promise<RoomResult> {
  const { tokens, groupId, total, inFlight } = options;
  const acks: number[] = [];
  const finished = Promise.withResolvers<void>();
  let sent = 0;
  let told = 0;
  const expected = total * (tokens.length - 1);
  const frame = (identifier: number): Buffer =>
    encode(
      JSON.stringify({
        identifier,
        command: "sendGroupMessage",
        groupId,
        groupType: 1,
        message: [{ type: "text", data: { text: "今天天气很好,我们一起去公园散步吧 (a line of chat)" } }],
      }),
    );
  const send = (member: Member): void => {
    if (sent >= total) return;
    member.sentAt = performance.now();
    member.sent += 1;
    member.socket.write(frame(sent));
    sent += 1;
  };
  const check = (): void => {
    if (acks.length === total && told === expected) finished.resolve();
  };
  const result = (member: Member): void => {
    acks.push(performance.now() - member.sentAt);
    send(member);
    check();
  };
  const mirror = (): void => {
    told += 1;
    check();
  };
  const members: Member[] = [];
  for (const token of tokens) members.push(await join(port, token, result, mirror));
  await options.started();
  const began = performance.now();
  for (const member of members.slice(0, inFlight)) send(member);
  await finished.promise;
  const seconds = (performance.now() - began) / 1000;
  const wrong = members.reduce((sum, member) => sum + member.wrong, 0);
  const uneven = members.filter((member) => member.mirrored !== total - member.sent).length;
  for (const { socket } of members) socket.destroy();
  if (wrong > 0 || uneven > 0)
    throw new Error(`${wrong} frames were wrong, ${uneven} members were not told everything`);
  return { deliveries: expected, seconds, ackP50: percentile(acks, 0.5) };
}
