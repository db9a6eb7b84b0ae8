import { setTimeout as delay } from "node:timers/promises";
import { TelexError } from "@telex/core";
import type { ClientSession } from "mongodb";
import { isAborted, isInDoubt } from "../driver/errors.ts";

/** Milliseconds: the first pause after a conflict is shorter than this; each further one may be twice as long. */
const firstPause = 4;
const longestPause = 250;

/** A random pause, so that two servers that conflicted do not conflict again. */
export const pause = (attempt: number): Promise<void> =>
  delay(Math.random() * Math.min(longestPause, firstPause * 2 ** attempt));

/** Milliseconds of `performance.now()`. */
interface CommitTimes {
  /** Afterwards, the transaction must not be committed any more. */
  readonly until: number;
  /** Afterwards, no further attempt begins. */
  readonly deadline: number;
}

/**
 * Commits the transaction of a session. While the outcome is in doubt, repeats only the commit. When its time is over, ends the transaction before
 * each repeat: this aborts it if it is still open, and the repeat reports whether it was aborted or committed. So the caller
 * learns the outcome as soon as a primary is elected, and no transaction commits late.
 * @param end ends the transaction if it is open
 * @throws TelexError `storage_unavailable` if the outcome stays in doubt: the transaction must not be run again
 * @throws MongoError if the transaction was certainly not committed
 */
export async function commit(
  session: Pick<ClientSession, "commitTransaction">,
  { until, deadline }: CommitTimes,
  end: () => Promise<unknown>,
): Promise<void> {
  let wasInDoubt = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      if (wasInDoubt && performance.now() > until) await end();
      await session.commitTransaction();
      return;
    } catch (error) {
      const isUnknown = isInDoubt(error);
      // The refusal of a second attempt says nothing about the first one, unless it says that the transaction was aborted.
      if (!isUnknown && (!wasInDoubt || isAborted(error))) throw error;
      if (!isUnknown || performance.now() > deadline) throw new TelexError("storage_unavailable", { cause: error });
      wasInDoubt = true;
      await pause(attempt);
    }
  }
}
