import { TelexError } from "../../errors/errors.ts";

/** Counts what waits for each account, so that none can take memory without bound. */
interface Places {
  /**
   * Takes a place; the returned function gives it back.
   * @throws TelexError `queue_full` if all places of the account are taken
   */
  take(account: string): () => void;
}

/** @param max places that each account has */
export function createPlaces(max: number): Places {
  const taken = new Map<string, number>();
  return {
    take(account) {
      const count = taken.get(account) ?? 0;
      if (count >= max) {
        throw new TelexError("queue_full", { reason: "account_queue_full", params: { max, account }, retryAfter: 5 });
      }
      taken.set(account, count + 1);
      return () => {
        const left = (taken.get(account) ?? 1) - 1;
        if (left === 0) taken.delete(account);
        else taken.set(account, left);
      };
    },
  };
}
