import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "@telex/conformance/testing";
import type { Api, Outcome } from "../crash/support/api.ts";
import type { Ground } from "./ground.ts";

/** The actions and observations of the clients. */
export interface Run extends Ground {
  /** The address of the load balancer. */
  readonly url: string;
  /** Each server alone. */
  readonly places: readonly Place[];
  readonly random: Random;
  /** True if the clients must not begin anything new. */
  isOver: boolean;
  /** False if an older server may run: it delivers texts of a killed server after later texts. */
  readonly isOneVersion: boolean;
  /** The factor by which pauses of clients are longer than in a short run. */
  readonly pace: number;
  /** Approximate milliseconds of the run. */
  readonly length: number;
  readonly counts: Map<string, { done: number; failed: number }>;
  /** The found problems. A correct run leaves it empty. */
  readonly problems: string[];
}

export function count({ counts }: Run, kind: string, isDone: boolean): void {
  const counted = counts.get(kind) ?? { done: 0, failed: 0 };
  counts.set(kind, counted);
  counted[isDone ? "done" : "failed"] += 1;
}

/** The pause before a client tries again, so that a broken cluster is not flooded with calls. */
export const retryPause = (): Promise<void> => delay(50);

/** Waits for a random time: in a short run, up to `max` milliseconds. */
export const pause = ({ random, pace }: Run, max: number): Promise<void> => delay(random.next() * max * pace);

/** Repeats a call until it succeeds, and counts the attempts. */
export async function insist<T>(run: Run, kind: string, call: () => Promise<Outcome<T>>): Promise<T> {
  for (;;) {
    const outcome = await call();
    count(run, kind, outcome.kind === "done");
    if (outcome.kind === "done") return outcome.value;
    const isRefused = outcome.kind === "refused" && outcome.status < 500;
    const problem = `${kind}: ${JSON.stringify(outcome)}`;
    if (isRefused && !run.problems.includes(problem)) run.problems.push(problem);
    await retryPause();
  }
}

/** Calls `make` this many times. */
export const times = <T>(number: number, make: (index: number) => T): T[] =>
  Array.from({ length: number }, (_, index) => make(index));

/** A server without the load balancer. */
export interface Place {
  readonly name: string;
  readonly url: string;
  /** The calls of a user to this server. */
  readonly api: (token: string) => Api;
}
