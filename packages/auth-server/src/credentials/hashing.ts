import { availableParallelism } from "node:os";
import { TelexError } from "@telex/core";

/** Argon2id, which has the number 2, with the first choice of OWASP. Memory is in KiB. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Calls that wait for a hash at most. Further ones are refused. */
const mostWaiting = 20;

/** Seconds after which a refused call may be repeated. */
const retryAfter = 2;

/** Hashes passwords, few at a time, so that sign-ins leave processors for everything else. */
export interface PasswordHasher {
  /**
   * A PHC string of argon2id.
   * @throws TelexError `busy` if 20 calls wait
   */
  readonly hash: (password: string) => Promise<string>;
  /**
   * True if this is the password. With null, the call takes as long and returns false, so that its time does not tell if there is a hash.
   * @throws TelexError `busy` if 20 calls wait
   */
  readonly verify: (stored: string | null, password: string) => Promise<boolean>;
}

/** The library loads native code, so only servers that hash passwords load it. */
const loadArgon2 = async () => await import("@node-rs/argon2");

/** Runs at most `most` calls simultaneously and lets {@link mostWaiting} wait. */
function createSlots(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (running < most) {
      running += 1;
      return;
    }
    if (waiting.length >= mostWaiting) throw new TelexError("busy", { retryAfter });
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async <T>(run: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await run();
    } finally {
      leave();
    }
  };
}

/** The hash of a password that nobody knows: what is verified for a name without an account. */
const dummyHash = "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$7uHTGgDwZ3H8wBUdHChvm1Mu4oIB7KnIVkTtqW6pnN8";

/**
 * Creates a hasher of passwords.
 * @param most hashes that are made simultaneously; default: one less than processors, at least one
 */
export function createPasswordHasher(most = Math.max(1, availableParallelism() - 1)): PasswordHasher {
  const inSlot = createSlots(most);
  return {
    hash: (password) => inSlot(async () => await (await loadArgon2()).hash(password, parameters)),
    verify: (stored, password) =>
      inSlot(async () => {
        const { verify } = await loadArgon2();
        const isRight = await verify(stored ?? dummyHash, password);
        return stored !== null && isRight;
      }),
  };
}
