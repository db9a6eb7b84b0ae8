import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { PrinterLink, PrinterPort } from "./port.ts";
import { createReplies, type Replies } from "./replies.ts";

/**
 * Encodes the text to print.
 * @param isAgain true if paper may have it already
 */
export type PrintWork = (isAgain: boolean) => Promise<Uint8Array>;

/** Options of {@link createPrinter}. */
export interface PrinterOptions {
  readonly port: PrinterPort;
  /** Called with the reason why nothing is printed, such as `paper out`, and with null when the printer prints again. Called for changes only. */
  readonly report?: (fault: string | null) => void;
  /**
   * For a text that may be on paper already, because the connection was lost before the printer had confirmed it: `print` prints it again, `wait` waits until
   * the program is started again. Default `print`.
   */
  readonly afterDoubt?: "print" | "wait";
  /** Milliseconds for an answer of the printer. Default 2000. */
  readonly answerTime?: number;
  /** Waits. Default: the timers of Node. It must reject when the signal aborts. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** A printer that takes one text after another. */
export interface Printer {
  /**
   * Resolves when the printer has taken the text: all bytes are written, and the printer has answered a question after them, or it answers no such
   * questions and the connection has ended without a reset. It tries again after 1, 2, 4 … 60 s, however long the printer is away.
   * @param work encodes the text. It is called for each attempt
   * @param begin called before the first byte of an attempt is written, which waits for it: afterwards, paper may have the text
   * @throws the reason of `stop` when that aborts, and what `work` throws
   */
  print(work: PrintWork, stop: AbortSignal, begin?: () => Promise<void>): Promise<void>;
}

interface Attempt {
  readonly options: Required<Omit<PrinterOptions, "port">>;
  readonly link: PrinterLink;
  readonly replies: Replies;
  readonly stop: AbortSignal;
}

const second = 1000;
const longestPause = 60 * second;
/** Times without an answer, and without a fault, after which a printer counts as lost. */
const maxSilences = 30;

const endedBefore = async (ended: Promise<string>): Promise<never> => {
  throw new Error(await ended);
};

/** The answer, or null if it takes too long. */
async function inTime<T>({ options, link, stop }: Attempt, answer: Promise<T>): Promise<T | null> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, stop]);
  // A late answer, and a question that could no longer be asked, do not count.
  answer.catch(() => undefined);
  try {
    return await Promise.race([
      answer,
      endedBefore(link.ended),
      options.pause(options.answerTime, signal).then(() => null),
    ]);
  } finally {
    over.abort();
  }
}

/** Waits until the printer has handled everything. Faults are reported while the printer answers at all. */
async function confirm(attempt: Attempt, saysState: boolean): Promise<void> {
  const { options, replies } = attempt;
  let isHandled = false;
  const handled = replies.handled().then(() => (isHandled = true));
  for (let silences = 0; silences < maxSilences; silences += 1) {
    await inTime(attempt, handled);
    if (isHandled) return;
    const state = saysState ? await inTime(attempt, replies.state()) : null;
    if (state === null) continue;
    options.report(state.fault);
    if (state.fault !== null) silences = 0;
  }
  throw new Error("the printer does not answer");
}

/** True if the printer answers after the bytes that it has handled. */
async function answersInOrder(attempt: Attempt): Promise<boolean> {
  if (!attempt.link.hasAnswers) return false;
  const handled = attempt.replies.handled().then(() => true);
  return (await inTime(attempt, handled)) === true;
}

/** Prints over one connection. `begin` is called before the first byte of the text is written. */
async function printOver(attempt: Attempt, bytes: Uint8Array, begin: () => Promise<void>): Promise<void> {
  const { options, link, replies, stop } = attempt;
  const state = link.hasAnswers ? await inTime(attempt, replies.state()) : null;
  if (state !== null && state.fault !== null) throw new Error(state.fault);
  const answers = await answersInOrder(attempt);
  stop.throwIfAborted();
  options.report(null);
  await begin();
  await Promise.race([link.write(bytes), endedBefore(link.ended)]);
  if (answers) await confirm(attempt, state !== null);
  await (answers ? link.finish().catch(() => undefined) : link.finish());
}

/** A text on its way to paper. */
interface Sheet {
  readonly bytes: Uint8Array;
  readonly begin: () => Promise<void>;
  readonly stop: AbortSignal;
}

/** Resolves with the reason why the text was not taken, or with null if it was. */
async function tryOnce(
  port: PrinterPort,
  options: Attempt["options"],
  { bytes, begin, stop }: Sheet,
): Promise<string | null> {
  let link: PrinterLink | null = null;
  const cut = (): void => link?.destroy();
  stop.addEventListener("abort", cut);
  try {
    link = await port.open();
    await printOver({ options, link, replies: createReplies(link), stop }, bytes, begin);
    return null;
  } catch (cause) {
    stop.throwIfAborted();
    return cause instanceof Error ? cause.message : String(cause);
  } finally {
    stop.removeEventListener("abort", cut);
    cut();
  }
}

/** Reports changes only. */
function createReport(report: NonNullable<PrinterOptions["report"]>): (fault: string | null) => void {
  let before: string | null = null;
  return (fault) => {
    if (fault === before) return;
    before = fault;
    report(fault);
  };
}

async function pauseOfNode(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (cause) {
    // Node rejects with an error of its own.
    signal.throwIfAborted();
    throw cause;
  }
}

/** A printer that is reached again for each text, so that other programs can use it in between. */
export function createPrinter({ port, ...given }: PrinterOptions): Printer {
  const { afterDoubt = "print", answerTime = 2 * second, pause = pauseOfNode } = given;
  const report = createReport(given.report ?? (() => undefined));
  const options = { afterDoubt, answerTime, pause, report };
  return {
    async print(work, stop, begin) {
      let isDoubtful = false;
      const start = async (): Promise<void> => {
        await begin?.();
        isDoubtful = true;
      };
      for (let failures = 0; ; failures += 1) {
        if (isDoubtful && afterDoubt === "wait") {
          report("may be printed already: start the program again to print it");
          if (!stop.aborted) await once(stop, "abort");
          stop.throwIfAborted();
        }
        const bytes = await work(isDoubtful);
        const fault = await tryOnce(port, options, { bytes, begin: start, stop });
        if (fault === null) return report(null);
        report(fault);
        await pause(Math.min(longestPause, second * 2 ** Math.min(failures, 10)), stop);
      }
    },
  };
}
