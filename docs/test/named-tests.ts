import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A test that a page names. */
export interface NamedTest {
  readonly file: string;
  readonly name: string;
}

/** The tests that a row of a table names, as file and name of the case. */
export const testsIn = (cell: string): readonly NamedTest[] =>
  [...cell.matchAll(/`([\w./-]+\.test\.ts)`: "(.*?)"(?=<br>| *\||$)/g)].map(([, file = "", name = ""]) => ({
    file,
    name,
  }));

/** True if the file has a case of this name. */
export function hasCase({ file, name }: NamedTest): boolean {
  if (!existsSync(join(root, file))) return false;
  const source = readFileSync(join(root, file), "utf8");
  const cases = source.matchAll(/(?:\bit|\btest|\))\(\s*(["'`])(.*?)\1\s*,/g);
  return cases.some(([, , each]) => each === name);
}
