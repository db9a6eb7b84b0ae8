/**
 * CPU of one request next to bare programs, for a machine that others load: `node bench/side-by-side.ts [heartbeat|sync|send|poll]
 * [--turns 30] [--requests 1500] [--also FILE...]`. All servers run the whole time on the first core, and get a burst of requests
 * one after another, another one first each turn, so that what loads the machine loads all of them. Prints the median of CPU
 * µs/request, and of its ratio to the first program in the same turn. `--also` adds a program that starts as `servers/telex.ts`
 * does: that of another checkout, to compare with.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { load, requestBytes } from "./lib/http-load.ts";
import { type Running, run, serverCore } from "./lib/process.ts";
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

/** Makes the bytes of a request with a token. */
type Request = (token: string) => Buffer;

const post =
  (path: string, content?: string): Request =>
  (token) =>
    requestBytes("POST", `${prefix}${path}`, token, JSON.stringify({ deviceId: "bench", content }));

interface Program {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly request: Request;
}

const telexes = (request: Request): Program[] =>
  [telex, ...values.also].map((file) => ({ name: file === telex ? "telex" : file, file, args: [], request }));

const text = "a short line of text from a device";
const limit = at("limits/post.ts");
const poll: Request = (token) => requestBytes("GET", `${prefix}/poll?deviceId=bench&limit=100`, token);
const kinds: Readonly<Record<string, readonly Program[]>> = {
  heartbeat: [
    { name: "h3", file: at("limits/h3.ts"), args: [], request: post("", text) },
    { name: "node:http", file: limit, args: ["plain"], request: post("", text) },
    ...telexes(post("/heartbeat")),
  ],
  sync: [
    { name: "store", file: limit, args: ["store"], request: post("", text) },
    { name: "same", file: limit, args: ["same"], request: post("", text) },
    ...telexes(post("/sync", text)),
  ],
  send: [
    { name: "store", file: limit, args: ["store"], request: post("", text) },
    { name: "same", file: limit, args: ["same"], request: post("", text) },
    ...telexes(post("/send", text)),
  ],
  poll: [
    { name: "h3", file: at("limits/h3.ts"), args: [], request: post("", text) },
    { name: "node:http", file: limit, args: ["plain"], request: post("", text) },
    ...telexes(poll),
  ],
};

interface Side {
  readonly program: Program;
  readonly server: Running;
  readonly bytes: Buffer;
  /** Takes what a burst has left in the queue of the device; null where it leaves nothing. */
  readonly drain: Buffer | null;
  readonly port: number;
  readonly cpu: number[];
}

const folder = await mkdtemp(join(tmpdir(), "telex-bench-"));

async function start(program: Program, index: number): Promise<Side> {
  const home = await mkdtemp(join(folder, `${index}-`));
  const server = await run(program.file, [home, ...program.args], serverCore);
  const { tokens } = server.ready;
  const token = Array.isArray(tokens) ? String(tokens[0]) : "";
  const port = Number(server.ready["port"]);
  const register = requestBytes("POST", `${prefix}/register`, token, '{"deviceId":"bench","name":"Bench"}');
  const isTelex = program.file.includes("servers/");
  if (isTelex) await load(port, { connections: 1, total: 1, next: () => register });
  const drain = isTelex && kind === "send" ? poll(token) : null;
  return { program, server, port, drain, bytes: program.request(token), cpu: [] };
}

async function burst(side: Side, total: number): Promise<number> {
  const { server, port, bytes, drain } = side;
  const before = await server.cpu();
  const { requests } = await load(port, { connections: Number(values.connections), total, next: () => bytes });
  const cpu = (((await server.cpu()) - before) * 1e6) / requests;
  if (drain !== null) await load(port, { connections: 1, total: total / 100 + 1, next: () => drain });
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
