import { TelexError } from "@telex/ground/errors";

/**
 * Counts what waits for each account, so that none can take memory without bound. The returned function takes a slot, and returns the function
 * that gives it back. It throws `queue_full` if all slots of the account are taken.
 * @param max slots that each account has
 */
export function createSlots(max: number): (account: string) => () => void {
  const taken = new Map<string, number>();
  return (account) => {
    const count = taken.get(account) ?? 0;
    if (count >= max)
      throw new TelexError("queue_full", { reason: "account_queue_full", params: { max, account }, retryAfter: 5 });
    taken.set(account, count + 1);
    return () => {
      const left = (taken.get(account) ?? 1) - 1;
      if (left === 0) taken.delete(account);
      else taken.set(account, left);
    };
  };
}
