import { createConsola, LogLevels } from "consola/core";
import { jsonText, printable } from "./output.ts";
import { isSign, signed } from "./signs.ts";
import type { CommonOptions } from "./common-options.ts";

/** Messages that accompany the result of a command. They go to stderr, so that stdout contains only data. */
export interface Talk {
  /** Reports success. */
  done(text: string): void;
  /** Gives useful information. */
  note(text: string): void;
  /** Gives information that only `--verbose` shows. */
  detail(text: string): void;
  warn(text: string): void;
}

function levelOf({ json = false, quiet = false, verbose = false }: CommonOptions): number {
  if (quiet) return LogLevels.silent;
  if (json) return LogLevels.warn;
  return verbose ? LogLevels.debug : LogLevels.info;
}

/** Prints the messages that the options allow. With `--json`, only warnings, as JSON. */
export function createTalk(options: CommonOptions): Talk {
  const { success, info, debug, warn } = createConsola({
    level: levelOf(options),
    // Prints each line immediately: consola would delay repeated lines for a second.
    throttle: 0,
    reporters: [
      {
        log({ type, args }) {
          const text = args.join(" ");
          if (options.json === true) process.stderr.write(`${jsonText({ warning: text })}\n`);
          else if (isSign(type)) process.stderr.write(`${signed(type, printable(text))}\n`);
        },
      },
    ],
  });
  return {
    done: (text) => success(text),
    note: (text) => info(text),
    detail: (text) => debug(text),
    warn: (text) => warn(text),
  };
}
