import { TelexError } from "@telex/core";
import { createLocks } from "./locks.ts";
import type { Tx } from "../driver/transaction.ts";
import type { Ref } from "../driver/ref.ts";
import type { Turn, Turns } from "./turns.ts";

/** A verb as a function of a transaction. It may run several times. */
export type Verb<Result> = (tx: Tx) => Promise<Result>;

/** A verb that waits for its batch. */
export interface Waiting {
  /** The first one names its queue. */
  readonly roots: readonly string[];
  readonly verb: Verb<unknown>;
  readonly load: readonly Ref[];
  readonly bytes: number;
  /** Milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (error: TelexError) => void;
}

/** Most verbs in one transaction. */
const mostVerbs = 100;
/** Most bytes that the verbs of a transaction write, unless there is only one. */
const mostBytes = 8 * 2 ** 20;

const lateError = (): TelexError =>
  new TelexError("storage_unavailable", { cause: new Error("The database has not answered in time.") });

/** Takes the next verbs out of a queue, as many as fit into one transaction. */
function takeBatch(queue: Waiting[]): Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const one of queue) {
    bytes += one.bytes;
    if (count > 0 && (count === mostVerbs || bytes > mostBytes)) break;
    count += 1;
  }
  return queue.splice(0, count);
}

/** Rejects calls that have waited too long behind other batches, so that no caller waits longer while the database is unavailable. */
export function dropLate(batch: readonly Waiting[]): readonly Waiting[] {
  const now = performance.now();
  for (const { deadline, reject } of batch) if (deadline < now) reject(lateError());
  return batch.filter(({ deadline }) => deadline >= now);
}

interface QueuesDeps {
  readonly turns: Turns;
  readonly track: (work: Promise<void>) => Promise<void>;
  /** Runs a batch to its end. True if a transaction that ends the turn was committed last. */
  readonly run: (turn: Turn, batch: readonly Waiting[]) => Promise<boolean>;
}

/** The roots of a batch after the first one that all have in common: the second ones, the third ones. */
function furtherRoots(batch: readonly Waiting[]): readonly (readonly string[])[] {
  const most = Math.max(1, ...batch.map(({ roots }) => roots.length));
  const places = Array.from({ length: most - 1 }, (_, index) => index + 1);
  return places.map((place) => [...new Set(batch.flatMap(({ roots }) => roots.slice(place, place + 1)))]);
}

/** Gathers the verbs of each root while the batch before is running. */
export function createQueues({ turns, track, run }: QueuesDeps): (waiting: Waiting) => void {
  const queues = new Map<string, Waiting[]>();
  const lock = createLocks();
  /** Runs the next batch when no other one of this server, and if possible none of another server, writes to its roots. */
  async function runNext(root: string, queue: Waiting[]): Promise<void> {
    const turn = turns.begin();
    const releases: (() => void)[] = [];
    const hold = async (roots: readonly string[]): Promise<void> => {
      releases.push(await lock(roots));
      await turn.add(roots);
    };
    await hold([root]);
    const batch = takeBatch(queue);
    for (const roots of furtherRoots(batch)) await hold(roots);
    turn.pass(await run(turn, dropLate(batch)));
    for (const release of releases) release();
  }
  async function drain(root: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) await runNext(root, queue);
    queues.delete(root);
  }
  return (waiting) => {
    const [root = ""] = waiting.roots;
    const queue = queues.get(root);
    if (queue !== undefined) {
      queue.push(waiting);
      return;
    }
    const started = [waiting];
    queues.set(root, started);
    // Verbs that other callbacks of this tick call join the batch.
    setImmediate(() => void track(drain(root, started)));
  };
}
