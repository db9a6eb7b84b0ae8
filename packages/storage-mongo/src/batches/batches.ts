import { MongoError } from "mongodb";
import { pause } from "./commit.ts";
import { isConflict, isTransient, isWriteConflict, RunAgain, storageError } from "../driver/errors.ts";
import { createGuesses, type Guesses } from "../driver/guesses.ts";
import { inTime } from "../driver/in-time.ts";
import type { Errands } from "./errands.ts";
import { createHost, type Host } from "./host.ts";
import { createPortables, type Portable } from "./portable.ts";
import { createQueues } from "./queues.ts";
import { dropLate, type Verb, type Waiting } from "./waiting.ts";
import { readOnce } from "./read-once.ts";
import { type AttemptDeps, runOnce } from "./run-once.ts";
import type { Reads, Transaction } from "../driver/transaction.ts";
import type { Turn, Turns } from "./turns.ts";
import { closedError, createWrite, type WriteOptions } from "./write.ts";

/** Runs verbs in transactions. */
export interface Batches {
  /**
   * Runs a verb, with other waiting verbs of the same first root, in one transaction and in the order of their calls. Verbs without a
   * common root run simultaneously. All verbs name their roots in the same order: an upload code before a file before a share of uploads,
   * a quota before a conversation, an account before a room.
   */
  readonly write: <Result>(
    roots: string | readonly string[],
    verb: Verb<Result>,
    options?: WriteOptions,
  ) => Promise<Result>;
  /**
   * Defines a verb that any server can run, because its input and its result are plain data: while this server waits for its turn at the root,
   * the server that has the turn runs the verb. Returns a function that runs it.
   */
  readonly define: <Input, Result>(verb: Portable<Input, Result>) => (input: Input) => Promise<Result>;
  /** Runs a verb that only reads, on a snapshot. It waits neither for a turn nor for replication. */
  readonly read: <Result>(verb: (reads: Reads) => Promise<Result>) => Promise<Result>;
  /** Runs a read, or an operation that may be repeated, without a transaction. */
  readonly single: <Result>(operation: () => Promise<Result>) => Promise<Result>;
  /** Calls the listener after each later transaction with writes. */
  readonly observe: (listener: (commit: { readonly writes: number; readonly ms: number }) => void) => void;
  /** Completes the calls in progress. Later calls reject. */
  readonly close: () => Promise<void>;
}

interface BatchesDeps extends AttemptDeps {
  /** Milliseconds after which no new attempt begins. */
  readonly timeout: number;
  readonly turns: Turns;
  readonly errands: Errands;
}

interface RunDeps extends QueueDeps {
  readonly turn: Turn;
}

interface QueueDeps extends BatchesDeps {
  readonly guesses: Guesses;
  readonly host: Host;
  readonly observed: Parameters<Batches["observe"]>[0];
}

/** A batch is abandoned after this multiple of the timeout. Its attempts end earlier, unless the driver hangs. */
const abandonAfter = 2;

/** A verb threw an error that does not come from the database. */
class VerbFailed extends Error {
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super("A verb failed.", { cause });
    this.index = index;
  }
}

/** Runs the verbs of a batch in their order. */
async function runVerbs(transaction: Transaction, batch: readonly Pick<Waiting, "verb" | "load">[]): Promise<void> {
  await transaction.load(batch.flatMap(({ load }) => load));
  for (const [index, { verb }] of batch.entries()) {
    try {
      await verb(transaction);
    } catch (error) {
      if (isOfDatabase(error)) throw error;
      if (transaction.hasGuessed()) throw new RunAgain("A verb failed on a guess.", { cause: error });
      throw new VerbFailed(index, error);
    }
  }
}

const isOfDatabase = (error: unknown): boolean => storageError(error).code !== "internal" || isTransient(error);

/** Repeats until it succeeds, fails permanently, or the time is over. After the first conflict, it takes turns with other servers. */
async function retry<Result>(
  { deadline, turn }: { readonly deadline: number; readonly turn?: Turn },
  run: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isTransient(error) || performance.now() > deadline) throw error;
      const hasWaited = isConflict(error) && (await turn?.claim()) === true;
      if (!hasWaited) await pause(attempt);
    }
  }
}

/** Runs verbs, and errands of other servers, in one transaction. Attempts use guesses until one fails for another reason than a conflict. */
function runTogether(deps: RunDeps, deadline: number, verbs: readonly Waiting[]): Promise<void> {
  const hosted = deps.host.begin(deps.turn);
  let mayGuess = true;
  return retry({ deadline, turn: deps.turn }, async () => {
    const known = deps.turn.guessesOr(deps.guesses);
    const guesses = mayGuess ? known : null;
    let remember = (): void => undefined;
    const attempted = runOnce(deps, { deadline, guesses, finish: deps.turn.passIn }, async (transaction) => {
      remember = () => transaction.remember(known);
      await runVerbs(transaction, [...(await hosted.verbsIn(transaction)), ...verbs]);
      hosted.answerIn(transaction);
    });
    await attempted.catch((error: unknown) => {
      mayGuess &&= isWriteConflict(error);
      hosted.fail(error);
    });
    remember();
  });
}

/** Runs the errands of other servers in this turn. If that fails, their own transactions report it later. */
async function runErrands(deps: RunDeps): Promise<boolean> {
  if (deps.turn.hosted() === null) return false;
  const running = runTogether(deps, performance.now() + deps.timeout, []);
  return inTime(abandonAfter * deps.timeout, running).then(
    () => true,
    () => false,
  );
}

/** Runs verbs in one transaction, and settles them. */
async function commit(deps: RunDeps, verbs: readonly Waiting[]): Promise<void> {
  const begun = performance.now();
  const deadline = Math.min(...verbs.map((one) => one.deadline));
  await inTime(abandonAfter * deps.timeout, runTogether(deps, deadline, verbs));
  for (const { resolve } of verbs) resolve();
  deps.observed({ writes: verbs.length, ms: performance.now() - begun });
}

/** Runs a batch to its end, and settles each verb with its result or its error. True if the last transaction was committed. */
async function runBatch(deps: RunDeps, batch: readonly Waiting[]): Promise<boolean> {
  let rest = batch;
  while (rest.length > 0) {
    const verbs = rest;
    try {
      await commit(deps, verbs);
      return true;
    } catch (error) {
      if (mayIsolate(verbs, error)) return runEach(deps, verbs);
      rest = rejectFailed(verbs, error);
    }
  }
  return false;
}

/** Runs each verb alone, because one of the batch may be at fault. */
async function runEach(deps: RunDeps, batch: readonly Waiting[]): Promise<boolean> {
  let wasCommitted = false;
  for (const one of batch) wasCommitted = await runBatch(deps, dropLate([one]));
  return wasCommitted;
}

/**
 * True if the database permanently refused a batch and has certainly not stored it. A `TelexError` comes from a commit in doubt: its
 * batch is never run again.
 */
const mayIsolate = (batch: readonly Waiting[], error: unknown): boolean =>
  batch.length > 1 && error instanceof MongoError && !isTransient(error);

/** Rejects the verb that failed, and returns the others to run again. If the error is not that of a verb, all have failed. */
function rejectFailed(batch: readonly Waiting[], error: unknown): readonly Waiting[] {
  const failed = error instanceof VerbFailed ? error : null;
  const reason = storageError(failed?.cause ?? error);
  for (const [index, { reject }] of batch.entries()) if (failed === null || failed.index === index) reject(reason);
  return failed === null ? [] : batch.filter((_, index) => index !== failed.index);
}

/** Counts the calls in progress, and turns errors of the database into those of Telex. */
function createGuard() {
  const inProgress = new Set<Promise<unknown>>();
  let isOpen = true;
  const track = async <Result>(work: Promise<Result>): Promise<Result> => {
    inProgress.add(work);
    try {
      return await work;
    } finally {
      inProgress.delete(work);
    }
  };
  return {
    track,
    guarded: async <Result>(run: () => Promise<Result>): Promise<Result> => {
      if (!isOpen) throw closedError();
      try {
        return await track(run());
      } catch (error) {
        throw storageError(error);
      }
    },
    close: async (): Promise<void> => {
      isOpen = false;
      while (inProgress.size > 0) await Promise.allSettled(inProgress);
    },
  };
}

export function createBatches(deps: BatchesDeps): Batches {
  const listeners: Parameters<Batches["observe"]>[0][] = [];
  const { track, guarded, close } = createGuard();
  const observed: QueueDeps["observed"] = (seen) => listeners.forEach((listen) => listen(seen));
  const portables = createPortables();
  const running = { ...deps, observed, guesses: createGuesses(), host: createHost(portables, deps.time) };
  const run = (turn: Turn, batch: readonly Waiting[]): Promise<boolean> =>
    batch.length === 0 ? runErrands({ ...running, turn }) : runBatch({ ...running, turn }, batch);
  const retried = <Result>(operation: () => Promise<Result>): Promise<Result> =>
    inTime(abandonAfter * deps.timeout, retry({ deadline: performance.now() + deps.timeout }, operation));
  const enqueue = createQueues({ turns: deps.turns, track, run, retried, errands: deps.errands });
  const write = createWrite(enqueue, deps.timeout);

  return {
    write: (roots, verb, options) => guarded(() => write(roots, verb, options)),
    define(verb) {
      const { root, load = () => [], bytes = () => 0, call, result } = verb;
      portables.add(verb);
      return (input) =>
        guarded(() =>
          write(root(input), (tx) => verb.run(tx, input), {
            load: load(input),
            bytes: bytes(input),
            portable: { call: call.write(input), resultOf: result.read },
          }),
        );
    },
    read: (verb) =>
      guarded(() => {
        const deadline = performance.now() + deps.timeout;
        const reading = retry({ deadline }, () => readOnce(deps.db, verb));
        return inTime(abandonAfter * deps.timeout, reading);
      }),
    single: (operation) => guarded(() => retried(operation)),
    observe: (listener) => void listeners.push(listener),
    close,
  };
}
