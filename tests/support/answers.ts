import { expect } from "vitest";
import { at, parse } from "./json.ts";
import { type Outcome, telex } from "./command.ts";

/** The refusal of a command. */
export interface Refusal {
  readonly code: number | null;
  readonly error: unknown;
  readonly msg: unknown;
  readonly issues: unknown;
}

/**
 * Functions that run commands with `--json`.
 * @param run runs a command to its end
 */
export function createAnswers<Options>(run: (args: readonly string[], options?: Options) => Promise<Outcome>) {
  return {
    /** Returns the JSON that a command prints. Fails if the command does. */
    answer: async (args: readonly string[], options?: Options): Promise<unknown> => {
      const { code, stdout, stderr } = await run([...args, "--json"], options);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
      return parse(stdout);
    },
    /** Returns the refusal. Fails if the command works. */
    refusal: async (args: readonly string[], options?: Options): Promise<Refusal> => {
      const { code, stdout, stderr } = await run([...args, "--json"], options);
      expect(stdout).toBe("");
      const told = parse(stderr.trimEnd().split("\n").at(-1) ?? "");
      return { code, error: at(told, "error"), msg: at(told, "msg"), issues: at(told, "issues") };
    },
  };
}

export const { answer, refusal } = createAnswers(telex);
