import { setTimeout as delay } from "node:timers/promises";
import type { PortableResult } from "../driver/portable-calls.ts";
import { type Errands, newErrandId } from "./errands.ts";
import { lateError, type Queue, takeFirst, type Waiting } from "./waiting.ts";

/** Most bytes that the verbs of an errand write. */
const largest = 2 ** 20;
/** The verbs of one errand. */
const share = {
  count: 100,
  bytes: largest,
  isFit: (one: Waiting): boolean => one.portable !== null && one.bytes <= largest,
} as const;

/** Milliseconds between two checks for results. */
const [shortestLook, longestLook] = [4, 100];
/** A server first checks after this part of the time that the errand before took, and then this many times in such a time. */
const [firstLook, looks] = [0.5, 4];

/** Lets other servers run the verbs of a queue while this server waits for its turn. */
interface Asking {
  /** Call it when the turn has come. Afterwards, the verbs have their results, or are in the queue again. */
  readonly end: () => Promise<void>;
}

export interface AskingDeps {
  readonly errands: Errands;
  /** Repeats an operation until it succeeds, fails for good, or the time of a call is over. */
  readonly insist: <Result>(operation: () => Promise<Result>) => Promise<Result>;
}

function settle(batch: readonly Waiting[], results: readonly PortableResult[]): void {
  for (const [place, { portable }] of batch.entries()) portable?.answer(results[place] ?? {});
}

const sleep = (time: number, signal: AbortSignal): Promise<void> =>
  delay(time, undefined, { signal }).catch(() => undefined);

/** Waits for results, and learns how long that takes. */
function createWatch({ findResults }: Errands) {
  let took = 0;
  /** Null if the signal aborts before. */
  return async (id: string, signal: AbortSignal): Promise<readonly PortableResult[] | null> => {
    const begun = performance.now();
    await sleep(Math.min(took * firstLook, longestLook), signal);
    while (!signal.aborted) {
      const results = await findResults(id);
      if (results !== null) {
        took = performance.now() - begun;
        return results;
      }
      await sleep(Math.min(Math.max(took / looks, shortestLook), longestLook), signal);
    }
    return null;
  };
}

type Watch = ReturnType<typeof createWatch>;

/** Gives errands for the verbs of a queue. One that no other server can run asks for the turn. */
export function createAsking({ errands, insist }: AskingDeps): (root: string, queue: Queue) => Asking {
  const watch = createWatch(errands);
  return (root, queue) => startAsking({ errands, insist, watch }, root, queue);
}

function startAsking(
  { errands, insist, watch }: AskingDeps & { readonly watch: Watch },
  root: string,
  queue: Queue,
): Asking {
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
    return insist(() => errands.takeBack(id));
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
