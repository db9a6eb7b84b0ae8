import type { Socket } from "node:net";
import { openBareSocket } from "./bare-socket.ts";
import { coldRequests, measurePhases } from "./phases.ts";
import type { Running } from "./process.ts";
import { percentile } from "./statistics.ts";
import { warmRequests } from "./workload.ts";

/** A member of a room on a plain socket. Counts received messages, and checks that ids grow. */
interface Member {
  readonly socket: Socket;
  mirrored: number;
  /** Messages that it has sent, which do not count in the figures of the server. */
  sent: number;
  /** The times of messages without a result, oldest first. Results arrive in the order of the commands. */
  readonly sentAt: number[];
  wrong: number;
}

const path = "/external/api/v1/im/imWebSocket";
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const mark = Buffer.from('"messageId":');

/** A text frame, masked with zeros. */
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
  const socket = await openBareSocket(port, `${path}/${token}`);
  const member: Member = { socket, mirrored: 0, sent: 0, sentAt: [], wrong: 0 };
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

const frame = (groupId: number, groupType: number): Buffer =>
  encode(
    JSON.stringify({
      identifier: 1,
      command: "sendGroupMessage",
      groupId,
      groupType,
      message: [{ type: "text", data: { text: "今天天气很好,我们一起去公园散步吧 (a line of chat)" } }],
    }),
  );

/** The figures of messages to a room. */
export interface RoomResult {
  /** Deliveries. */
  readonly count: number;
  readonly seconds: number;
  /** Milliseconds from a send to its result: the median, and the slowest hundredth. */
  readonly p50: number;
  readonly p99: number;
  /** Median milliseconds from a send to its arrival at the last member; null if several members send. */
  readonly lastP50: number | null;
  /** The share of its core that this load used. Near 1, the load has measured itself. */
  readonly busy: number;
}

/** Sends messages to a room. Each sender has a number of them in flight. */
class Burst {
  readonly #frame: Buffer;
  readonly #total: number;
  readonly #others: number;
  readonly #alone: boolean;
  readonly #began = performance.now();
  readonly #cpu = process.cpuUsage();
  readonly #finished = Promise.withResolvers<void>();
  readonly #sentAt: number[] = [];
  readonly #reached: number[] = [];
  readonly #acks: number[] = [];
  readonly #lasts: number[] = [];
  #told = 0;

  constructor(message: Buffer, members: readonly Member[], { total, senders, inFlight }: Load) {
    this.#frame = message;
    this.#total = total;
    this.#others = members.length - 1;
    this.#alone = senders === 1;
    for (const member of members) member.mirrored = member.sent = 0;
    for (const member of members.slice(0, senders)) {
      for (let count = 0; count < inFlight / senders; count += 1) this.send(member);
    }
  }

  send(member: Member): void {
    if (this.#sentAt.length >= this.#total) return;
    const now = performance.now();
    member.sentAt.push(now);
    member.sent += 1;
    this.#sentAt.push(now);
    member.socket.write(this.#frame);
  }

  result(member: Member): void {
    this.#acks.push(performance.now() - (member.sentAt.shift() ?? 0));
    this.send(member);
    this.#check();
  }

  mirror({ mirrored }: Member): void {
    this.#told += 1;
    // All others receive every message of a single sender, so the count of a member is the number of the message.
    const reached = (this.#reached[mirrored] ?? 0) + 1;
    this.#reached[mirrored] = reached;
    if (this.#alone && reached === this.#others)
      this.#lasts.push(performance.now() - (this.#sentAt[mirrored - 1] ?? 0));
    this.#check();
  }

  async end(): Promise<RoomResult> {
    await this.#finished.promise;
    const seconds = (performance.now() - this.#began) / 1000;
    const { user, system } = process.cpuUsage(this.#cpu);
    return {
      count: this.#told,
      seconds,
      p50: percentile(this.#acks, 0.5),
      p99: percentile(this.#acks, 0.99),
      lastP50: this.#alone ? percentile(this.#lasts, 0.5) : null,
      busy: (user + system) / 1e6 / seconds,
    };
  }

  #check(): void {
    if (this.#acks.length === this.#total && this.#told === this.#total * this.#others) this.#finished.resolve();
  }
}

/** The load on a room. */
export interface Load {
  /** The total number of messages. */
  readonly total: number;
  /** Members that send. */
  readonly senders: number;
  /** Messages without a result, over all senders. */
  readonly inFlight: number;
}

/** A room with connected members. */
export interface OpenRoom {
  /**
   * Sends messages to the room. Every other member must receive each of them once and in order.
   * @throws Error if one does not
   */
  burst(load: Load): Promise<RoomResult>;
  close(): void;
}

/** Connects the members of a room, by default of a room without a network. */
export async function openRoom(
  port: number,
  tokens: readonly string[],
  groupId: number,
  groupType = 1,
): Promise<OpenRoom> {
  let burst: Burst | null = null;
  const members: Member[] = [];
  for (const token of tokens) {
    members.push(
      await join(
        port,
        token,
        (member) => burst?.result(member),
        (member) => burst?.mirror(member),
      ),
    );
  }
  return {
    async burst(load) {
      burst = new Burst(frame(groupId, groupType), members, load);
      const result = await burst.end();
      const wrong = members.reduce((sum, member) => sum + member.wrong, 0);
      const uneven = members.filter((member) => member.mirrored !== load.total - member.sent).length;
      if (wrong > 0 || uneven > 0)
        throw new Error(`${wrong} frames were wrong, ${uneven} members were not told everything`);
      return result;
    },
    close() {
      for (const { socket } of members) socket.destroy();
    },
  };
}

/** Messages that warm a room up. Larger rooms need fewer, because most work is in the deliveries. */
const warmMessages = (members: number): number => Math.min(warmRequests, Math.round(2_000_000 / members));

/** Cold messages. Larger rooms need fewer. */
const coldMessages = (members: number): number => Math.min(coldRequests, Math.round(100_000 / members));

/**
 * Sends messages to a room: the first ones of the process, many at a time to warm it up, and the measured ones.
 * @throws Error if a member missed a message, or received messages out of order
 */
export async function roomLoad(
  server: Running,
  port: number,
  options: Load & { readonly tokens: readonly string[]; readonly groupId: number },
): ReturnType<typeof measurePhases<RoomResult>> {
  const { tokens, groupId } = options;
  const room = await openRoom(port, tokens, groupId);
  const inFlight = Math.max(options.inFlight, 8);
  const measured = await measurePhases(server, {
    unit: "delivery",
    cold: () => room.burst({ ...options, total: coldMessages(tokens.length) }),
    warmUp: () => room.burst({ ...options, total: warmMessages(tokens.length), inFlight }),
    warm: () => room.burst(options),
  });
  room.close();
  return measured;
}
