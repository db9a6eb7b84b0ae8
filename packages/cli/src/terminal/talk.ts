import { createConsola, LogLevels } from "consola/core";
import { jsonText, printable } from "./output.ts";
import { isSign, signed } from "./signs.ts";
import type { CommonOptions } from "./common-options.ts";

/** What a command prints in addition to its result: on stderr, so that stdout contains only data. */
export interface Talk {
  /** It worked. */
  done(text: string): void;
  /** Worth knowing. */
  note(text: string): void;
  /** Only with `--verbose`. */
  detail(text: string): void;
  warn(text: string): void;
}

function levelOf({ json = false, quiet = false, verbose = false }: CommonOptions): number {
  if (quiet) return LogLevels.silent;
  if (json) return LogLevels.warn;
  return verbose ? LogLevels.debug : LogLevels.info;
}

/** Says everything that the options allow; with `--json` only warnings, as JSON. */
export function createTalk(options: CommonOptions): Talk {
  const { success, info, debug, warn } = createConsola({
    level: levelOf(options),
    // Every line is written when it is said: consola would hold back repeated lines for a second.
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
