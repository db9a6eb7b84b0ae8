import type { CommandOrder } from "../channels/channel.ts";

/** A command that may run. */
export interface Ready<R> {
  readonly order: CommandOrder;
  /** Must not reject. */
  readonly run: () => Promise<R>;
}

/** The commands of one connection: those in progress, and those that wait. */
interface Pipeline<T, R> {
  readonly push: (item: T) => void;
  /**
   * Lets commands run. Until then all of them wait.
   * @param prepare called once for each item, in order; must not throw
   */
  readonly open: (prepare: (item: T) => Ready<R>) => void;
  /** Forgets what waits. */
  readonly clear: () => void;
  /** Resolves when nothing is in progress or waits. */
  readonly idle: () => Promise<void>;
  /** True while no more should be read. */
  readonly isFull: () => boolean;
}

/** How a {@link Pipeline} works. */
interface PipelineOptions<R> {
  /** Commands in progress or waiting from which on `pause` holds. */
  readonly limit: number;
  /** Takes the results: in the order of the commands, except those of commands that are `unordered`. */
  readonly answer: (result: R) => void;
  /** Asks the source to stop. */
  readonly pause: () => void;
  /** Asks the source to continue. */
  readonly resume: () => void;
}

/** A result that leaves when those before have left. */
interface Slot<R> {
  result: { readonly value: R } | null;
}

/** Hands results on in the order of their slots. */
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

/** What a pipeline holds: asks the source to stop when that is too much, and says when it is nothing. */
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

/** The commands in progress, and which one may join them. */
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

/** Runs at most `limit` commands simultaneously, and slows their source down while there are more. */
export function createPipeline<T, R>({ limit, answer, pause, resume }: PipelineOptions<R>): Pipeline<T, R> {
  const gauge = createGauge(limit, pause, resume);
  const unread: T[] = [];
  const waiting: Ready<R>[] = [];
  let prepare: ((item: T) => Ready<R>) | null = null;
  const advance = (): void => {
    for (let [next] = waiting; next !== undefined && runner.canBegin(next); [next] = waiting) {
      waiting.shift();
      void runner.begin(next);
    }
    gauge.measure(unread.length + waiting.length + runner.size());
  };
  const runner = createRunner(limit, answer, advance);
  return {
    push(item) {
      if (prepare === null) unread.push(item);
      else waiting.push(prepare(item));
      advance();
    },
    open(given) {
      prepare = given;
      waiting.push(...unread.splice(0).map((item) => given(item)));
      advance();
    },
    clear() {
      unread.length = 0;
      waiting.length = 0;
      advance();
    },
    idle: () => gauge.idle(),
    isFull: () => gauge.isFull(),
  };
}
