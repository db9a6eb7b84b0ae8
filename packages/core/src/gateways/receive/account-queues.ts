import { createSlots } from "@telex/ground/concurrency";
import { TelexError } from "@telex/ground/errors";

/**
 * Counts what waits for each account, so that none can take memory without bound. The returned function counts one item, and returns the function
 * that releases it. It throws `queue_full` if the account is at its limit.
 * @param max maximum items of each account
 */
export function createAccountQueues(max: number): (account: string) => () => void {
  const slots = createSlots(max);
  return (account) => {
    const leave = slots.take(account);
    if (leave !== null) return leave;
    throw new TelexError("queue_full", { reason: "account_queue_full", params: { max, account }, retryAfter: 5 });
  };
}
