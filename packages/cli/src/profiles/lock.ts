import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { Failure } from "../errors/errors.ts";

/** Milliseconds between two attempts to get the lock. */
const pause = 50;

/** Milliseconds to wait for another command, which may itself wait for its server. */
const maxWait = 45_000;

/** True if this process now holds the lock. */
function take(lock: DatabaseSync): boolean {
  try {
    lock.exec("BEGIN IMMEDIATE");
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs `work` while no other process does so with the same file. The lock is one of SQLite: the system releases it when a process ends,
 * however it ends.
 * @param file is created, and stays empty
 * @throws Failure `profiles_busy`
 */
export async function alone<T>(file: string, work: () => Promise<T>): Promise<T> {
  const sqlite = process.getBuiltinModule("node:sqlite");
  const lock = new sqlite.DatabaseSync(file, { timeout: 0 });
  try {
    for (let waited = 0; !take(lock); waited += pause) {
      if (waited >= maxWait) throw new Failure("profiles_busy", `Another command holds ${file}. Try again.`);
      await setTimeout(pause);
    }
    return await work();
  } finally {
    lock.close();
  }
}
