import { setTimeout as delay } from "node:timers/promises";
import type { PortableResult } from "../driver/portable-calls.ts";
import { type Errands, newErrandId } from "./errands.ts";
import { lateError, type Queue, takeFirst, type Waiting } from "./waiting.ts";

/** Maximum bytes that the verbs of an errand write. */
const largest = 2 ** 20;
/** Limits of the verbs of one errand. */
const share = {
  count: 100,
  bytes: largest,
  isFit: (one: Waiting): boolean => one.portable !== null && one.bytes <= largest,
} as const;

/** Milliseconds between two checks for results. */
const [shortestPause, longestPause] = [4, 100];
/** A server first checks after this fraction of the time that the previous errand took, and then this many times in that time. */
const [firstCheck, checks] = [0.5, 4];

/** Lets other servers run the verbs of a queue while this server waits for its turn. */
interface Delegation {
  /** Call it when the turn of this server has begun. Afterwards, the verbs have their results or are in the queue again. */
  readonly end: () => Promise<void>;
}

export interface DelegationDeps {
  readonly errands: Errands;
  /** Repeats an operation until it succeeds, fails permanently, or the time of a call is over. */
  readonly retried: <Result>(operation: () => Promise<Result>) => Promise<Result>;
}

function settle(batch: readonly Waiting[], results: readonly PortableResult[]): void {
  for (const [index, { portable }] of batch.entries()) portable?.answer(results[index] ?? {});
}

const sleep = (time: number, signal: AbortSignal): Promise<void> =>
  delay(time, undefined, { signal }).catch(() => undefined);

/** Waits for results, and remembers how long that took. */
function createWatch({ findResults }: Errands) {
  let took = 0;
  /** Null if the signal aborts first. */
  return async (id: string, signal: AbortSignal): Promise<readonly PortableResult[] | null> => {
    const begun = performance.now();
    await sleep(Math.min(took * firstCheck, longestPause), signal);
    while (!signal.aborted) {
      const results = await findResults(id);
      if (results !== null) {
        took = performance.now() - begun;
        return results;
      }
      await sleep(Math.min(Math.max(took / checks, shortestPause), longestPause), signal);
    }
    return null;
  };
}

type Watch = ReturnType<typeof createWatch>;

/** Creates errands for the verbs of a queue. An errand without verbs asks for the turn, if no other server can run them. */
export function createDelegate({ errands, retried }: DelegationDeps): (root: string, queue: Queue) => Delegation {
  const watch = createWatch(errands);
  return (root, queue) => startDelegation({ errands, retried, watch }, root, queue);
}

function startDelegation(
  { errands, retried, watch }: DelegationDeps & { readonly watch: Watch },
  root: string,
  queue: Queue,
): Delegation {
  const ending = new AbortController();
  const { signal } = ending;
  const resultsOf = async (id: string, calls: readonly Waiting[]): Promise<readonly PortableResult[] | null> => {
    try {
      await errands.give(
        id,
        root,
        calls.flatMap(({ portable }) => portable?.call ?? []),
      );
      const results = await watch(id, signal);
      if (results !== null) return results;
    } catch {
      // The outcome is unknown until the errand is taken back.
    }
    return retried(() => errands.takeBack(id));
  };
  const give = async (batch: readonly Waiting[]): Promise<void> => {
    const id = newErrandId();
    try {
      const results = await resultsOf(id, batch);
      if (results === null) queue.waiting.unshift(...batch);
      else settle(batch, results);
      if (results !== null || batch.length === 0) errands.drop(id);
    } catch {
      // Another server may have run them.
      for (const { reject } of batch) reject(lateError());
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (queue.waiting.length > 0) await give(takeFirst(queue.waiting, share));
      else await queue.untilPushed(signal);
    }
  };
  const running = run();
  return {
    async end() {
      ending.abort();
      await running;
    },
  };
}
