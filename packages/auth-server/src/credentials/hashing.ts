import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { TelexError } from "@telex/core";
import { createWorkerPool } from "@telex/core/workers";

/** Maximum calls that wait for a hash. Further ones are refused. */
const waiting = 20;

/** Seconds after which a call whose thread ended may be repeated. */
const retryAfter = 2;

/** Milliseconds for one hash: about a thousand times what it takes, because other work goes first. */
const time = 20_000;

/** Milliseconds after which a thread without work ends. */
const idle = 30_000;

/** Hashes passwords, few at a time and with a low priority, so that sign-ins leave processors for everything else. */
export interface PasswordHasher {
  /**
   * A PHC string of argon2id.
   * @throws TelexError `busy` if 20 calls wait, or the thread ended
   */
  readonly hash: (password: string) => Promise<string>;
  /**
   * True if this is the password. With null, the call takes as long and returns false, so that its time does not reveal whether there is a hash.
   * @throws TelexError `busy` if 20 calls wait, or the thread ended
   */
  readonly verify: (stored: string | null, password: string) => Promise<boolean>;
}

/** A password to hash, or to compare with a stored hash. */
export interface HashRequest {
  readonly stored: string | null;
  readonly password: string;
}

/** The hash of a random password. It is verified for a name without an account. */
const dummyHash = "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$7uHTGgDwZ3H8wBUdHChvm1Mu4oIB7KnIVkTtqW6pnN8";

/** The module of the thread next to this one: as source, built, or in a bundle. */
const entry = new URL(`./hash-worker${extname(new URL(import.meta.url).pathname)}`, import.meta.url);

/** The transports log the cause. */
const failure = (_kind: string, cause: Error): TelexError => new TelexError("busy", { retryAfter, cause });

/**
 * Creates a hasher of passwords.
 * @param size hashes that are made simultaneously; default: the number of processors minus one, at least one
 */
export function createPasswordHasher(size = Math.max(1, availableParallelism() - 1)): PasswordHasher {
  const pool = createWorkerPool(entry, { size, waiting, time, idle, failure });
  const ask = async (request: HashRequest): Promise<unknown> => await pool.run(request);
  return {
    async hash(password) {
      const hash = await ask({ stored: null, password });
      if (typeof hash !== "string") throw new TypeError("A thread sent no hash.");
      return hash;
    },
    async verify(stored, password) {
      const isRight = await ask({ stored: stored ?? dummyHash, password });
      return stored !== null && isRight === true;
    },
  };
}
