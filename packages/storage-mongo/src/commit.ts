import { setTimeout as delay } from "node:timers/promises";
import { TelexError } from "@telex/core";
import type { ClientSession } from "mongodb";
import { isAborted, isInDoubt } from "./errors.ts";

/** Milliseconds: the first pause after a conflict is shorter than this; each further one may be twice as long. */
const firstPause = 4;
const longestPause = 250;

/** A random pause, so that two servers that met do not meet again. */
export const pause = (attempt: number): Promise<void> =>
  delay(Math.random() * Math.min(longestPause, firstPause * 2 ** attempt));

/**
 * Commits the transaction of a session. While the outcome is in doubt, repeats only the commit.
 * @param deadline milliseconds of `performance.now()`, after which no attempt begins
 * @throws TelexError `storage_unavailable` if the outcome stays in doubt: the transaction must not be run again
 * @throws MongoError if the transaction was certainly not committed
 */
export async function commit(session: Pick<ClientSession, "commitTransaction">, deadline: number): Promise<void> {
  let wasInDoubt = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
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
