import { TelexError } from "@telex/core";
import { MongoError } from "mongodb";
import { pause } from "./commit.ts";
import { isTransient, RunAgain, storageError } from "./errors.ts";
import { createGuesses, type Guesses } from "./guesses.ts";
import { inTime } from "./in-time.ts";
import { type AttemptDeps, runOnce } from "./run-once.ts";
import type { Ref, Transaction, Tx } from "./transaction.ts";

/** A verb as a function of a transaction. It may run several times. */
type Verb<Result> = (tx: Tx) => Promise<Result>;

/** How a verb is run. */
interface WriteOptions {
  /** Documents that the verb finds: those of all verbs of a batch are read together. */
  readonly load?: readonly Ref[];
  /** About how many bytes the verb writes. Default 0. */
  readonly bytes?: number;
}

/** Runs verbs in transactions. */
export interface Batches {
  /**
   * Runs a verb, with other verbs of the same root that were called meanwhile, in one transaction and in the order of their
   * calls. Verbs of different roots run simultaneously.
   */
  readonly write: <Result>(root: string, verb: Verb<Result>, options?: WriteOptions) => Promise<Result>;
  /** Runs a verb that only reads several documents as of one moment. */
  readonly read: <Result>(verb: Verb<Result>) => Promise<Result>;
  /** Runs a read, or an operation that may be repeated, without a transaction. */
  readonly single: <Result>(operation: () => Promise<Result>) => Promise<Result>;
  /** Calls the listener after each transaction with writes from now on. */
  readonly observe: (listener: (commit: { readonly writes: number; readonly ms: number }) => void) => void;
  /** Completes what was called. Later calls reject. */
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly verb: Verb<unknown>;
  readonly load: readonly Ref[];
  readonly bytes: number;
  /** Milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (error: TelexError) => void;
}

interface BatchesDeps extends AttemptDeps {
  /** Milliseconds after which no new attempt begins. */
  readonly timeout: number;
}

/** What runs a batch. */
interface RunDeps extends BatchesDeps {
  readonly guesses: Guesses;
  readonly observed: Parameters<Batches["observe"]>[0];
}

/** Most verbs in one transaction. */
const mostVerbs = 100;
/** Most bytes that the verbs of a transaction write, unless there is only one. */
const mostBytes = 8 * 2 ** 20;

/** So many times the time-out after its begin, what has not ended is given up. Its attempts end before, unless the driver hangs. */
const hopeless = 2;

/** A verb threw something that has nothing to do with the database. */
class VerbFailed extends Error {
  readonly place: number;

  constructor(place: number, cause: unknown) {
    super("A verb failed.", { cause });
    this.place = place;
  }
}

const closedError = (): TelexError =>
  new TelexError("storage_unavailable", { cause: new Error("The storage is closed.") });

const lateError = (): TelexError =>
  new TelexError("storage_unavailable", { cause: new Error("The database has not answered in time.") });

/** Runs the verbs of a batch in their order. */
async function runVerbs(transaction: Transaction, batch: readonly Waiting[]): Promise<void> {
  await transaction.load(batch.flatMap(({ load }) => load));
  for (const [place, { verb }] of batch.entries()) {
    try {
      await verb(transaction);
    } catch (error) {
      if (isOfDatabase(error)) throw error;
      if (transaction.hasGuessed()) throw new RunAgain("A verb failed on a guess.", { cause: error });
      throw new VerbFailed(place, error);
    }
  }
}

const isOfDatabase = (error: unknown): boolean => storageError(error).code !== "internal" || isTransient(error);

/** Again and again until it succeeds, fails for good, or the time is over. */
async function retry<Result>(deadline: number, run: (attempt: number) => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run(attempt);
    } catch (error) {
      if (!isTransient(error) || performance.now() > deadline) throw error;
      await pause(attempt);
    }
  }
}

/** Runs verbs in one transaction. Only the first attempt guesses. */
const runTogether = (deps: RunDeps, deadline: number, verbs: readonly Waiting[]): Promise<void> =>
  retry(deadline, async (attempt) => {
    const guesses = attempt === 0 ? deps.guesses : null;
    let remember = (): void => undefined;
    await runOnce(deps, { deadline, guesses }, async (transaction) => {
      remember = () => transaction.remember(deps.guesses);
      await runVerbs(transaction, verbs);
    });
    remember();
  });

/** Runs a batch to its end: each verb is told its result or its error. */
async function runBatch(deps: RunDeps, batch: readonly Waiting[]): Promise<void> {
  let rest = batch;
  while (rest.length > 0) {
    const verbs = rest;
    const deadline = Math.min(...verbs.map((one) => one.deadline));
    const begun = performance.now();
    try {
      await inTime(hopeless * deps.timeout, runTogether(deps, deadline, verbs));
      for (const { resolve } of verbs) resolve();
      deps.observed({ writes: verbs.length, ms: performance.now() - begun });
      return;
    } catch (error) {
      if (mayIsolate(verbs, error)) return runEach(deps, verbs);
      rest = tellFailed(verbs, error);
    }
  }
}

/** One verb of a batch may be at fault: each alone shows which. */
async function runEach(deps: RunDeps, batch: readonly Waiting[]): Promise<void> {
  for (const one of batch) await runBatch(deps, dropLate([one]));
}

/**
 * True if the database refused a batch for good, and has certainly not stored it. A `TelexError` comes from a commit in doubt: its
 * batch is never run again.
 */
const mayIsolate = (batch: readonly Waiting[], error: unknown): boolean =>
  batch.length > 1 && error instanceof MongoError && !isTransient(error);

/** Tells the verb that failed; the others are run again without it. Without such a verb, all have failed. */
function tellFailed(batch: readonly Waiting[], error: unknown): readonly Waiting[] {
  const failed = error instanceof VerbFailed ? error : null;
  const reason = storageError(failed?.cause ?? error);
  for (const [place, { reject }] of batch.entries()) if (failed === null || failed.place === place) reject(reason);
  return failed === null ? [] : batch.filter((_, place) => place !== failed.place);
}

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

/** Rejects what has waited too long behind other batches, so that a database that is away holds up nobody for longer. */
function dropLate(batch: readonly Waiting[]): readonly Waiting[] {
  const now = performance.now();
  for (const { deadline, reject } of batch) if (deadline < now) reject(lateError());
  return batch.filter(({ deadline }) => deadline >= now);
}

/** Gathers the verbs of each root while its batch before is running. */
function createQueues(
  deps: RunDeps,
  track: (work: Promise<void>) => Promise<void>,
): (root: string, waiting: Waiting) => void {
  const queues = new Map<string, Waiting[]>();
  async function drain(root: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) await runBatch(deps, dropLate(takeBatch(queue)));
    queues.delete(root);
  }
  return (root, waiting) => {
    const queue = queues.get(root);
    if (queue !== undefined) {
      queue.push(waiting);
      return;
    }
    const started = [waiting];
    queues.set(root, started);
    // What other callbacks of this tick call joins the batch.
    setImmediate(() => void track(drain(root, started)));
  };
}

/** Runs verbs in transactions on a database. */
export function createBatches(deps: BatchesDeps): Batches {
  const running = new Set<Promise<unknown>>();
  const listeners: Parameters<Batches["observe"]>[0][] = [];
  let isOpen = true;

  const track = async <Result>(work: Promise<Result>): Promise<Result> => {
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  };
  const observed: RunDeps["observed"] = (seen) => listeners.forEach((listen) => listen(seen));
  const enqueue = createQueues({ ...deps, observed, guesses: createGuesses() }, track);
  const guarded = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (!isOpen) throw closedError();
    try {
      return await track(run());
    } catch (error) {
      throw storageError(error);
    }
  };

  return {
    write<Result>(root: string, verb: Verb<Result>, { load = [], bytes = 0 }: WriteOptions = {}): Promise<Result> {
      const deadline = performance.now() + deps.timeout;
      return guarded(
        () =>
          new Promise<Result>((resolve, reject) => {
            let result: { readonly value: Result } | null = null;
            const keep: Verb<unknown> = async (tx) => {
              result = { value: await verb(tx) };
            };
            const done = (): void => (result === null ? reject(closedError()) : resolve(result.value));
            enqueue(root, { verb: keep, load, bytes, deadline, resolve: done, reject });
          }),
      );
    },
    read: (verb) =>
      guarded(() => {
        const deadline = performance.now() + deps.timeout;
        const run = retry(deadline, () => runOnce(deps, { deadline, guesses: null }, verb));
        return inTime(hopeless * deps.timeout, run);
      }),
    single: (operation) =>
      guarded(() => inTime(hopeless * deps.timeout, retry(performance.now() + deps.timeout, operation))),
    observe: (listener) => void listeners.push(listener),
    async close() {
      isOpen = false;
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
