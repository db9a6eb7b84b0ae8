import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const digestOf = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");

/** The records of an export by kind, and the digests of its files by name. */
export function contentsOf(folder: string) {
  const kinds = readdirSync(join(folder, "records")).map((name) => {
    const lines = readFileSync(join(folder, "records", name), "utf8")
      .trimEnd()
      .split("\n");
    return [name, lines.filter(Boolean).map((line): unknown => JSON.parse(line))] as const;
  });
  const files = readdirSync(join(folder, "files"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => [name, digestOf(join(parentPath, name))] as const);
  return { records: Object.fromEntries(kinds), files: Object.fromEntries(files) };
}
