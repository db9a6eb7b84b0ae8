/**
 * CPU of one request next to bare programs, for a machine that others load: `node bench/side-by-side.ts [heartbeat|sync|send|poll|room|pipelined]
 * [--turns 30] [--requests 1500] [--also FILE...]`. All servers run the whole time on the first core, and get a burst of requests
 * one after another, another one first each turn, so that what loads the machine loads all of them. `room` sends messages to a
 * room of ten, 32 in flight, from all members, `pipelined` from one. Prints the median of CPU µs/request, and of its ratio to the first program in the same turn. `--also` adds a program that starts as `servers/telex.ts`
 * does: that of another checkout, to compare with.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { load, requestBytes } from "./lib/http-load.ts";
import { type Running, run, serverCore } from "./lib/process.ts";
import { openRoom } from "./lib/room-load.ts";
import { median } from "./lib/statistics.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    turns: { type: "string", default: "30" },
    requests: { type: "string", default: "1500" },
    connections: { type: "string", default: "64" },
    also: { type: "string", multiple: true, default: [] },
  },
});
const [kind = "heartbeat"] = positionals;
const prefix = "/external/api/v1/teleprinter";
const at = (path: string): string => new URL(path, import.meta.url).pathname;
const telex = at("servers/telex.ts");

/** What is asked of a server again and again. */
interface Load {
  burst(total: number): Promise<unknown>;
  /** Takes away what a burst has left. */
  drain?(total: number): Promise<unknown>;
}

interface Program {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly open: (server: Running) => Promise<Load>;
}

const portOf = ({ ready }: Running): number => Number(ready["port"]);
const tokensOf = ({ ready }: Running): readonly string[] =>
  Array.isArray(ready["tokens"]) ? ready["tokens"].map(String) : [];

const requests = (server: Running, count: number, total: number, bytes: Buffer) =>
  load(portOf(server), { connections: count, total, next: () => bytes });

const post = (server: Running, path: string, body: object): Buffer =>
  requestBytes("POST", `${prefix}${path}`, tokensOf(server)[0] ?? "", JSON.stringify({ deviceId: "bench", ...body }));

const pollOf = (server: Running): Buffer =>
  requestBytes("GET", `${prefix}/poll?deviceId=bench&limit=100`, tokensOf(server)[0] ?? "");

const burstOf = (server: Running, bytes: Buffer) => (total: number) =>
  requests(server, Number(values.connections), total, bytes);

const text = "a short line of text from a device";

/** What the bare programs take. */
const bare = async (server: Running): Promise<Load> => ({
  burst: burstOf(server, post(server, "", { content: text })),
});

const device =
  (path: string | null, body: object) =>
  async (server: Running): Promise<Load> => {
    await requests(server, 1, 1, post(server, "/register", { name: "Bench" }));
    const poll = pollOf(server);
    return {
      burst: burstOf(server, path === null ? poll : post(server, path, body)),
      ...(path === "/send" && { drain: (total: number) => requests(server, 1, total / 100 + 1, poll) }),
    };
  };

const roomOf =
  (senders: number) =>
  async (server: Running): Promise<Load> => {
    const room = await openRoom(portOf(server), tokensOf(server).slice(0, 10), Number(server.ready["groupId"]));
    return { burst: (total) => room.burst({ total, senders, inFlight: senders === 1 ? 32 : senders * 3 }) };
  };

const telexes = (open: Program["open"], ...args: readonly string[]): Program[] =>
  [telex, ...values.also].map((file) => ({ name: file === telex ? "telex" : file, file, args, open }));

const h3 = { name: "h3", file: at("limits/h3.ts"), args: [], open: bare };
const limit = (mode: string): Program => ({ name: mode, file: at("limits/post.ts"), args: [mode], open: bare });
const rooms = (senders: number): readonly Program[] => [
  { name: "limit", file: at("limits/group.ts"), args: [], open: roomOf(senders) },
  ...telexes(roomOf(senders), "--members", "10"),
];
const kinds: Readonly<Record<string, readonly Program[]>> = {
  heartbeat: [h3, limit("plain"), ...telexes(device("/heartbeat", {}))],
  sync: [limit("store"), limit("same"), ...telexes(device("/sync", { content: text }))],
  send: [limit("store"), limit("same"), ...telexes(device("/send", { content: text }))],
  poll: [h3, limit("plain"), ...telexes(device(null, {}))],
  room: rooms(10),
  pipelined: rooms(1),
};

interface Side {
  readonly program: Program;
  readonly server: Running;
  readonly load: Load;
  readonly cpu: number[];
}

const folder = await mkdtemp(join(tmpdir(), "telex-bench-"));

async function start(program: Program, index: number): Promise<Side> {
  const home = await mkdtemp(join(folder, `${index}-`));
  const server = await run(program.file, [home, ...program.args], serverCore);
  return { program, server, load: await program.open(server), cpu: [] };
}

async function burst(side: Side, total: number): Promise<number> {
  const before = await side.server.cpu();
  await side.load.burst(total);
  const cpu = (((await side.server.cpu()) - before) * 1e6) / total;
  await side.load.drain?.(total);
  return cpu;
}

const programs = kinds[kind];
if (programs === undefined) throw new Error(`There is no ${kind}; there are ${Object.keys(kinds).join(", ")}.`);
const sides = await Promise.all(programs.map(start));
try {
  for (const side of sides) for (let round = 0; round < 4; round += 1) await burst(side, 2000);
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    for (const index of sides.keys()) {
      const side = sides[(index + turn) % sides.length];
      side?.cpu.push(await burst(side, Number(values.requests)));
    }
  }
  console.log(kind);
  for (const { program, cpu } of sides) {
    const ratios = sides.map((other) => median(cpu.map((value, turn) => value / (other.cpu[turn] ?? Number.NaN))));
    const beside = sides.map((other, index) => `${(ratios[index] ?? 0).toFixed(2)} x ${other.program.name}`);
    console.log(`  ${median(cpu).toFixed(1)} µs/request  ${program.name}: ${beside.join(", ")}`);
  }
} finally {
  for (const { server } of sides) await server.stop();
  await rm(folder, { recursive: true, force: true });
}
