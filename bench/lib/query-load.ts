import { setImmediate } from "node:timers/promises";
import { queries } from "./chat-texts.ts";
import { type Done, measurePhases } from "./phases.ts";
import { createSelf } from "./self.ts";
import { percentile } from "./statistics.ts";
import type { Measurement } from "./workload.ts";

const texts = Object.values(queries);

/** Finds the first page of a query. */
type Find = (q: string) => unknown;

/** Requests first pages of all queries in turns. */
export async function findPages(find: Find, total: number): Promise<Done> {
  const times: number[] = [];
  for (let page = 0; page < total; page += 1) {
    const begun = performance.now();
    await find(texts[page % texts.length] ?? "");
    times.push(performance.now() - begun);
    // So that a page of a program without ticks is a tick.
    await setImmediate();
  }
  return { count: total, p99: percentile(times, 0.99) };
}

/** Pages of each phase. */
interface Pages {
  readonly cold: number;
  readonly warmUp: number;
  readonly warm: number;
}

/** The figures of first pages in this process. Call it before any other search. */
export async function measureQueries(find: Find, { cold, warmUp, warm }: Pages): Promise<Measurement> {
  const { figures } = await measurePhases(createSelf(), {
    unit: "page",
    cold: () => findPages(find, cold),
    warmUp: () => findPages(find, warmUp),
    warm: () => findPages(find, warm),
  });
  return figures;
}

/** The pages in one room. A page costs as much as dozens of small requests, so V8 needs fewer of them. */
export const roomPages: Pages = { cold: 200, warmUp: 2000, warm: 1000 };
