import { styleText } from "node:util";
import { jsonText, printable } from "./output.ts";
import type { CommonOptions } from "./program.ts";

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

type Style = Parameters<typeof styleText>[0];

const say = (style: Style, sign: string, text: string): void => {
  process.stderr.write(`${styleText(style, sign, { stream: process.stderr })} ${printable(text)}\n`);
};

const unless = (silent: boolean, style: Style, sign: string) => (text: string) => {
  if (!silent) say(style, sign, text);
};

/** Says everything that the options allow; with `--json` only warnings, as JSON. */
export function createTalk({ json = false, quiet = false, verbose = false }: CommonOptions): Talk {
  return {
    done: unless(json || quiet, "green", "✔"),
    note: unless(json || quiet, "cyan", "ℹ"),
    detail: unless(json || quiet || !verbose, "dim", "·"),
    warn(text) {
      if (quiet) return;
      if (json) process.stderr.write(`${jsonText({ warning: text })}\n`);
      else say("yellow", "⚠", text);
    },
  };
}
