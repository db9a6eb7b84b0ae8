import type { z } from "zod";
import { TelexError } from "../errors/errors.ts";
import { issuesOf } from "../errors/issues.ts";

/**
 * An input as the schema of an operation or a command reads it.
 * @throws TelexError `invalid_request` with an issue for each of the first wrong fields
 */
export function parseInput<S extends z.ZodType>(row: { readonly input: S }, input: unknown): z.output<S> {
  const parsed = row.input.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new TelexError("invalid_request", { issues: issuesOf(parsed.error, input) });
}
