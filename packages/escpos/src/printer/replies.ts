import type { PrinterLink } from "./port.ts";
import { causeOf, isOrderedAnswer, isStatus, noReports, orderedQuestion, rollOf, statusQuestions } from "./status.ts";

/** A state of the printer: `fault` is null if it can print. */
interface PrinterState {
  readonly fault: string | null;
}

/** Questions to a printer over one connection. */
export interface Replies {
  /** Resolves with the state of the printer. It never resolves for a printer that reports none. */
  readonly state: () => Promise<PrinterState>;
  /** Resolves when the printer has handled everything before. It never resolves for a printer that does not answer. */
  readonly handled: () => Promise<void>;
}

type Question = keyof typeof statusQuestions;

/** The first of four bytes that a printer sends on its own when its state changes. */
const isReport = (byte: number): boolean => (byte & 0b1001_0011) === 0b0001_0000;
const reportLength = 4;

const faults = { cause: causeOf, roll: rollOf } as const;

export function createReplies(link: PrinterLink): Replies {
  const pending: { readonly question: Question; readonly answer: (byte: number) => void }[] = [];
  let handled: (() => void) | null = null;
  let skipped = 0;
  link.onByte((byte) => {
    if (skipped > 0) skipped -= 1;
    else if (isReport(byte)) skipped = reportLength - 1;
    else if (isStatus(byte)) pending.shift()?.answer(byte);
    else if (isOrderedAnswer(byte)) handled?.();
  });
  const ask = async (question: Question): Promise<string | null> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    pending.push({ question, answer: resolve });
    await link.write(statusQuestions[question]);
    return faults[question](await promise);
  };
  return {
    async state() {
      const [cause, roll] = await Promise.all([ask("cause"), ask("roll")]);
      return { fault: cause ?? roll };
    },
    async handled() {
      const { promise, resolve } = Promise.withResolvers<void>();
      handled = resolve;
      await link.write(Uint8Array.of(...noReports, ...orderedQuestion));
      await promise;
      handled = null;
    },
  };
}
