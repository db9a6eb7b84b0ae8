import { readFileSync } from "node:fs";
import { codeOf, UsageError } from "../errors/errors.ts";

/**
 * The text of a file that an option names.
 * @param what the kind of the file, for a person
 * @throws UsageError for a file that cannot be read
 */
export function readText(what: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new UsageError(`The ${what} ${file} cannot be read (${codeOf(cause)}).`, { cause });
  }
}
