import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The name of a database in a new folder, which goes away with the test. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "telex-sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "telex.db");
}
