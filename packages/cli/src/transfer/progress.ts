import type { TransferProgress } from "@telex/transfer";
import type { CommonOptions } from "../terminal/common-options.ts";

/** Shows the progress of a copy. */
export interface ProgressBar {
  readonly show: (progress: TransferProgress) => void;
  /** Removes the bar. */
  readonly end: () => void;
}

const width = 30;
const interval = 100;
const clear = "\r\u001B[2K";
const phases = { records: "records", files: "files  ", check: "check  " } as const;

export function barOf({ phase, done, total }: TransferProgress): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * width);
  const bar = "█".repeat(filled) + "░".repeat(width - filled);
  return `${phases[phase]} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${done} of ${total}`;
}

/** A bar on stderr if it is a terminal; otherwise nothing. */
export function createProgressBar({ json = false, quiet = false }: CommonOptions): ProgressBar {
  const isSilent = json || quiet || !process.stderr.isTTY;
  let shownAt = 0;
  return {
    show(progress) {
      const now = performance.now();
      if (isSilent || now - shownAt < interval) return;
      shownAt = now;
      process.stderr.write(clear + barOf(progress));
    },
    end() {
      if (!isSilent && shownAt > 0) process.stderr.write(clear);
    },
  };
}
