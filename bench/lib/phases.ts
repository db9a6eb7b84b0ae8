import type { Measured } from "./process.ts";
import type { Measurement } from "./workload.ts";

/** The number of things that a load did, and the slowest hundredth in milliseconds. */
export interface Done {
  readonly count: number;
  readonly p99: number;
}

interface Phase<D extends Done> {
  readonly done: D;
  /** CPU µs of one. */
  readonly cpu: number;
}

/** The CPU time that a server needs for a load. */
export async function costOf<D extends Done>(server: Measured, run: () => Promise<D>): Promise<Phase<D>> {
  const before = await server.cpu();
  const done = await run();
  return { done, cpu: (((await server.cpu()) - before) * 1e6) / done.count };
}

/** Requests of a server that has just started. V8 interprets and compiles during them. */
export const coldRequests = 2000;

interface Phases<D extends Done> {
  /** Names one of the counted things in the figures, such as `request`. */
  readonly unit: string;
  /** The first load of the process. */
  readonly cold: () => Promise<D>;
  /** Brings V8 to the code that a server has after some minutes. */
  readonly warmUp: () => Promise<unknown>;
  readonly warm: () => Promise<D>;
}

/** A load in a process that has just started and in a warm one, with the memory of both. Use it first: the server must not have had other load. */
export async function measurePhases<D extends Done>(
  server: Measured,
  { unit, cold, warmUp, warm }: Phases<D>,
): Promise<{ readonly cold: D; readonly warm: D; readonly figures: Measurement }> {
  const idle = (await server.memory()).now;
  const first = await costOf(server, cold);
  await warmUp();
  await server.longestTurn();
  const later = await costOf(server, warm);
  return {
    cold: first.done,
    warm: later.done,
    figures: {
      [`cold CPU µs/${unit}`]: first.cpu,
      "cold p99 ms": first.done.p99,
      [`CPU µs/${unit}`]: later.cpu,
      "p99 ms": later.done.p99,
      "longest tick ms": await server.longestTurn(),
      "idle MiB": idle,
      "peak MiB": (await server.memory()).peak,
    },
  };
}
