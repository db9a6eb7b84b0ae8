import type { MongoLock, MongoStorage } from "@telex/storage-mongo";
import { Failure } from "../errors/errors.ts";

const signals = ["SIGINT", "SIGTERM"] as const;

/** Releases a lock before a signal ends the process, so that the command can be run again immediately. */
function releaseOnSignal(lock: MongoLock): MongoLock {
  const end = (signal: NodeJS.Signals): void => void release().finally(() => process.kill(process.pid, signal));
  const release = async (): Promise<void> => {
    for (const signal of signals) process.off(signal, end);
    // An unreachable database releases the lock when its time is over.
    await lock.release().catch(() => undefined);
  };
  for (const signal of signals) process.on(signal, end);
  return { ...lock, release };
}

/** A lock that a command holds while it works. */
interface HeldLock extends Pick<MongoLock, "release"> {
  /** @throws Failure `storage_in_use` if another process has taken the lock, because this one could not renew it (as a rejection) */
  readonly assertHeld: () => Promise<void>;
}

const toHeld = ({ isHeld, release }: MongoLock, work: string): HeldLock => ({
  release,
  async assertHeld() {
    if (await isHeld()) return;
    const message = `${work} has begun, because this command did not reach the database for too long. Run it again.`;
    throw new Failure("storage_in_use", message);
  },
});

/**
 * Takes a lock in a database of MongoDB.
 * @param work the work that only one process may do, as the subject of a sentence
 * @throws Failure `storage_in_use`, after which the storage is closed (as a rejection)
 */
export async function lockMongo(storage: MongoStorage, name: "backup" | "copy", work: string): Promise<HeldLock> {
  try {
    const lock = await storage.takeLock(name);
    if (lock !== null) return toHeld(releaseOnSignal(lock), work);
    const message = `${work} is in progress. Try again when it is complete; if it was killed, after 35 seconds.`;
    throw new Failure("storage_in_use", message);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * Does not see a server that starts immediately afterwards: look again before the end.
 * @throws Failure `storage_in_use` if a server, or another command that changes the database, works on it (as a rejection)
 */
export async function assertUnused(storage: Pick<MongoStorage, "isShared">, name: string): Promise<void> {
  if (!(await storage.isShared())) return;
  const message = `A server, or another command, works on ${name}. Stop all servers of this database, then run this command again.`;
  throw new Failure("storage_in_use", message);
}
