import { currentTick } from "./tick.ts";
import type { CommandOrder } from "../channels/channel.ts";

/** A command that can run, and its place among the others. */
export interface Ready<R> {
  readonly order: CommandOrder;
  /** Must not reject. */
  readonly run: () => Promise<R>;
}

/** The commands of one connection, running and waiting. */
interface Pipeline<T, R> {
  readonly push: (item: T) => void;
  /**
   * Starts to run commands. Until then all of them wait.
   * @param prepare called once for each item, in order; must not throw
   */
  readonly open: (prepare: (item: T) => Ready<R>) => void;
  /** Drops the waiting commands. */
  readonly clear: () => void;
  /** Resolves when no command is running or waiting. */
  readonly idle: () => Promise<void>;
  /** True while reading should pause. */
  readonly isFull: () => boolean;
}

interface PipelineOptions<R> {
  /** The number of running and waiting commands from which `pause` holds. */
  readonly limit: number;
  /** Called with the results in the order of the commands, except those of `unordered` commands. */
  readonly answer: (result: R) => void;
  /** Pauses the source. */
  readonly pause: () => void;
  /** Resumes the source. */
  readonly resume: () => void;
}

/** A result that leaves after those of earlier slots. */
interface Slot<R> {
  result: { readonly value: R } | null;
}

/** Passes results on in the order of their slots. */
function createSlots<R>(answer: (result: R) => void) {
  const slots: Slot<R>[] = [];
  return (): ((value: R) => void) => {
    const slot: Slot<R> = { result: null };
    slots.push(slot);
    return (value) => {
      slot.result = { value };
      for (let [first] = slots; first?.result; [first] = slots) {
        slots.shift();
        answer(first.result.value);
      }
    };
  };
}

/** Counts the commands of a pipeline, pauses the source above the limit, and reports when it is idle. */
function createGauge(limit: number, pause: () => void, resume: () => void) {
  let held = 0;
  let isFull = false;
  let idle: PromiseWithResolvers<void> | null = null;
  return {
    isFull: () => isFull,
    measure(now: number): void {
      held = now;
      if (held === 0) {
        idle?.resolve();
        idle = null;
      }
      if (held >= limit === isFull) return;
      isFull = !isFull;
      if (isFull) pause();
      else resume();
    },
    idle(): Promise<void> {
      if (held === 0) return Promise.resolve();
      idle ??= Promise.withResolvers<void>();
      return idle.promise;
    },
  };
}

/** Runs commands, and decides which ones may run simultaneously. */
function createRunner<R>(limit: number, answer: (result: R) => void, ended: () => void) {
  let inProgress = 0;
  let isAlone = false;
  const answerOne = (result: R): void => {
    inProgress -= 1;
    answer(result);
  };
  const openSlot = createSlots(answerOne);
  return {
    size: () => inProgress,
    canBegin: ({ order }: Ready<R>): boolean =>
      !isAlone && inProgress < limit && (order !== "alone" || inProgress === 0),
    begin: async ({ order, run }: Ready<R>): Promise<void> => {
      inProgress += 1;
      if (order === "alone") isAlone = true;
      const settle = order === "unordered" ? answerOne : openSlot();
      settle(await run());
      if (order === "alone") isAlone = false;
      ended();
    },
  };
}

/** Items that were not read yet, in order. One read of a socket may bring thousands, so that moving the others up each time would take long. */
function createUnread<T>() {
  let items: { readonly item: T }[] = [];
  let taken = 0;
  return {
    push: (item: T): void => void items.push({ item }),
    size: () => items.length - taken,
    take(): { readonly item: T } | undefined {
      const next = items[taken];
      if (next === undefined) return undefined;
      taken += 1;
      if (taken === items.length) [items, taken] = [[], 0];
      return next;
    },
    clear(): void {
      [items, taken] = [[], 0];
    },
  };
}

/** Allows `limit` pieces of work in a tick, and calls `next` in the following one if there were more. */
function createAllowance(limit: number, next: () => void) {
  let [tick, used, isScheduled] = [-1, 0, false];
  const begin = (): void => {
    isScheduled = false;
    next();
  };
  return (): boolean => {
    const now = currentTick();
    used = tick === now ? used + 1 : 1;
    tick = now;
    if (used <= limit) return true;
    if (!isScheduled) setImmediate(begin);
    isScheduled = true;
    return false;
  };
}

/**
 * Runs at most `limit` commands simultaneously, and pauses their source above that. Reads at most `limit` in a tick: small ones that end
 * immediately would otherwise keep all others waiting.
 */
export function createPipeline<T, R>({ limit, answer, pause, resume }: PipelineOptions<R>): Pipeline<T, R> {
  const gauge = createGauge(limit, pause, resume);
  const unread = createUnread<T>();
  const waiting: Ready<R>[] = [];
  let prepare: ((item: T) => Ready<R>) | null = null;
  const hasRoom = (): boolean => waiting.length + runner.size() < limit && mayRead();
  const read = (): void => {
    if (prepare === null) return;
    while (unread.size() > 0 && hasRoom()) {
      const next = unread.take();
      if (next !== undefined) waiting.push(prepare(next.item));
    }
  };
  const advance = (): void => {
    read();
    for (let [next] = waiting; next !== undefined && runner.canBegin(next); [next] = waiting) {
      waiting.shift();
      void runner.begin(next);
    }
    gauge.measure(unread.size() + waiting.length + runner.size());
  };
  const mayRead = createAllowance(limit, advance);
  const runner = createRunner(limit, answer, advance);
  return {
    push(item) {
      if (prepare !== null && unread.size() === 0 && hasRoom()) waiting.push(prepare(item));
      else unread.push(item);
      advance();
    },
    open(given) {
      prepare = given;
      advance();
    },
    clear() {
      unread.clear();
      waiting.length = 0;
      advance();
    },
    idle: () => gauge.idle(),
    isFull: () => gauge.isFull(),
  };
}
