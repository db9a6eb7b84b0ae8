import type { z } from "zod";
import { TelexError } from "../errors/errors.ts";
import { issuesOf } from "../errors/issues.ts";

/**
 * Parses an input with the schema of an operation or a command.
 * @throws TelexError `invalid_request` with issues for the first wrong fields
 */
export function parseInput<S extends z.ZodType>(row: { readonly input: S }, input: unknown): z.output<S> {
  const parsed = row.input.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new TelexError("invalid_request", { issues: issuesOf(parsed.error, input) });
}
