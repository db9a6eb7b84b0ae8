/**
 * Compares the CPU time of one request with bare programs, on a machine with other load: `node bench/side-by-side.ts [kind...]
 * [--turns 30] [--requests 1500] [--cold 12] [--warm 40000] [--also FILE...]`; by default, all run. The servers of a kind all stay running
 * on the first core. They get bursts of requests one after another, beginning with a different server in each turn, so that other load affects
 * all of them. `room` sends messages to a room of ten from all members, 30 in flight, and `pipelined` from one; `bot` does
 * the same as `room` in a room of a network in memory, and is compared with `room`; `fetch` counts messages that
 * polls of 100 take; `history` and `deepest` request a page of ten messages at one end of a room of a thousand. Telex runs as `telex serve`,
 * except for `bot`.
 *
 * Prints the median CPU µs per request, and the ratio to the other programs in the same turn: cold, for the first `--cold` turns after
 * the start, and warm, for `--turns` turns after each program has answered `--warm` requests. `--also` adds a program that starts like
 * `servers/telex.ts`, such as the one of another checkout.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Running, run, serverCore } from "./lib/process.ts";
import { type Load, type Program, programs } from "./lib/programs.ts";
import { runTelex } from "./lib/room-servers.ts";
import { median } from "./lib/statistics.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    turns: { type: "string", default: "30" },
    requests: { type: "string", default: "1500" },
    cold: { type: "string", default: "12" },
    warm: { type: "string", default: "40000" },
    connections: { type: "string", default: "64" },
    also: { type: "string", multiple: true, default: [] },
  },
});
const requests = Number(values.requests);

interface Side {
  readonly program: Program;
  readonly server: Running;
  readonly load: Load;
}

const folder = await mkdtemp(join(tmpdir(), "telex-bench-"));

async function start(program: Program, index: number): Promise<Side> {
  const home = await mkdtemp(join(folder, `${index}-`));
  const { file, args, isServed = false } = program;
  const server = await (isServed ? runTelex(home, args) : run(file, [home, ...args], serverCore));
  return { program, server, load: await program.open(server) };
}

async function burst(side: Side, total: number): Promise<number> {
  await side.load.prepare?.(total);
  const before = await side.server.cpu();
  await side.load.burst(total);
  const cpu = (((await side.server.cpu()) - before) * 1e6) / total;
  await side.load.drain?.(total);
  return cpu;
}

/** CPU µs/request of each turn, by program. */
async function takeTurns(sides: readonly Side[], turns: number): Promise<readonly number[][]> {
  const cpu = sides.map((): number[] => []);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const offset of sides.keys()) {
      const index = (offset + turn) % sides.length;
      const side = sides[index];
      if (side !== undefined) cpu[index]?.push(await burst(side, requests));
    }
  }
  return cpu;
}

function print(title: string, sides: readonly Side[], all: readonly number[][]): void {
  console.log(title);
  for (const [index, { program }] of sides.entries()) {
    const cpu = all[index] ?? [];
    const ratios = all.map((others) => median(cpu.map((value, turn) => value / (others[turn] ?? Number.NaN))));
    const beside = sides.map((other, place) => `${(ratios[place] ?? 0).toFixed(2)} x ${other.program.name}`);
    console.log(`  ${median(cpu).toFixed(1)} µs/request  ${program.name}: ${beside.join(", ")}`);
  }
}

const kinds = programs({ connections: Number(values.connections), also: values.also });

async function measure(kind: string): Promise<void> {
  const chosen = kinds[kind];
  if (chosen === undefined) throw new Error(`There is no ${kind}; there are ${Object.keys(kinds).join(", ")}.`);
  const sides = await Promise.all(chosen.map(start));
  try {
    const cold = Number(values.cold);
    if (cold > 0) print(`${kind}, the first ${cold * requests} requests`, sides, await takeTurns(sides, cold));
    const left = Math.max(0, Math.ceil(Number(values.warm) / requests) - cold);
    await takeTurns(sides, left);
    print(`${kind}, after ${(cold + left) * requests} requests`, sides, await takeTurns(sides, Number(values.turns)));
  } finally {
    for (const { server } of sides) await server.stop();
  }
}

try {
  for (const kind of positionals.length === 0 ? Object.keys(kinds) : positionals) await measure(kind);
} finally {
  await rm(folder, { recursive: true, force: true });
}
