import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "@telex/core/testing";
import type { Api, Outcome } from "../crash/support/api.ts";
import type { Ground } from "./ground.ts";

/** What the clients have done and seen. */
export interface Run extends Ground {
  /** The address of the load balancer. */
  readonly url: string;
  /** Each server alone. */
  readonly places: readonly Place[];
  readonly random: Random;
  /** True while the clients begin nothing new. */
  isOver: boolean;
  /** True if no server is of the older version, which delivers what a killed server held after what was sent later. */
  readonly isOneVersion: boolean;
  readonly counts: Map<string, { done: number; failed: number }>;
  /** What is wrong. A right run leaves it empty. */
  readonly problems: string[];
}

export function count({ counts }: Run, kind: string, isDone: boolean): void {
  const counted = counts.get(kind) ?? { done: 0, failed: 0 };
  counts.set(kind, counted);
  counted[isDone ? "done" : "failed"] += 1;
}

/** A client waits before it tries again, so that a cluster that is down is not asked all the time. */
export const patience = (): Promise<void> => delay(50);

/** Waits up to `most` milliseconds before the next thing is done. */
export const pause = ({ random }: Run, most: number): Promise<void> => delay(random.next() * most);

/** Calls until the call is answered with success, and counts the attempts. */
export async function insist<T>(run: Run, kind: string, call: () => Promise<Outcome<T>>): Promise<T> {
  for (;;) {
    const outcome = await call();
    count(run, kind, outcome.kind === "done");
    if (outcome.kind === "done") return outcome.value;
    const isRefused = outcome.kind === "refused" && outcome.status < 500;
    const problem = `${kind}: ${JSON.stringify(outcome)}`;
    if (isRefused && !run.problems.includes(problem)) run.problems.push(problem);
    await patience();
  }
}

/** A number of things, each made by `make`. */
export const times = <T>(number: number, make: (index: number) => T): T[] =>
  Array.from({ length: number }, (_, index) => make(index));

/** Where one server is called, without the load balancer. */
export interface Place {
  readonly name: string;
  readonly url: string;
  /** The calls of a user to this server. */
  readonly api: (token: string) => Api;
}
