import type { Telex } from "@telex/core";
import type { AccountStore } from "@telex/core/storage";
import { nextTick } from "@telex/core/transport";
import type { Seal } from "../oauth/seal.ts";
import { idAt, kind, readSubscription, type SubscriptionData } from "./records.ts";

/** Milliseconds between checks for subscriptions that other servers have stored. */
const interval = 5000;

/** Milliseconds by which the clocks of servers and the time of a write may differ. */
const overlap = 120_000;

const pageSize = 500;

interface SubscribersDeps extends Pick<Telex, "clock" | "log"> {
  readonly accounts: Pick<AccountStore, "listLinks">;
  readonly seal: Seal;
}

/**
 * The people who may have subscriptions: an index that saves a read for each member of a room. One that another server stores is in it within
 * five seconds; one that has ended may be in it longer, so the store is read before anything is sent.
 */
export interface Subscribers {
  /** Resolves when it was read. Rejects as the storage does; then the next call tries again. */
  readonly ready: () => Promise<void>;
  readonly has: (userId: number) => boolean;
  readonly size: () => number;
  /** The people who want notifications for devices that are offline. */
  readonly withOffline: () => readonly number[];
  readonly add: (userId: number, data: Pick<SubscriptionData, "offline">) => void;
  readonly remove: (userId: number) => void;
  readonly end: () => void;
}

/** Reads the index when it is first asked for, and follows the store. */
export function createSubscribers({ accounts, seal, clock, log }: SubscribersDeps): Subscribers {
  const users = new Set<number>();
  const withOffline = new Set<number>();
  let loading: Promise<void> | null = null;
  let cancel = (): void => {};
  let hasEnded = false;
  const add = (userId: number, { offline }: Pick<SubscriptionData, "offline">): void => {
    users.add(userId);
    if (offline !== null) withOffline.add(userId);
  };
  const read = async (from: string): Promise<void> => {
    for (let after: string | undefined = from; after !== undefined; await nextTick()) {
      const page = await accounts.listLinks({ kind, after, limit: pageSize });
      for (const subscription of page.map((link) => readSubscription(link, seal)))
        if (subscription !== null) add(subscription.userId, subscription);
      after = page.length < pageSize ? undefined : page.at(-1)?.linkId;
    }
  };
  const follow = (): void => {
    if (hasEnded) return;
    cancel = clock.after(interval, () => {
      read(idAt(Math.max(0, clock.now() - overlap)))
        .catch((cause: unknown) => {
          if (!hasEnded) log.error("push.follow_failed", {}, cause);
        })
        .finally(follow);
    });
  };
  return {
    ready() {
      const begun = (loading ??= read("").then(follow));
      begun.catch(() => (loading = null));
      return begun;
    },
    has: (userId) => users.has(userId),
    size: () => users.size,
    withOffline: () => [...withOffline],
    add,
    remove(userId) {
      users.delete(userId);
      withOffline.delete(userId);
    },
    end() {
      hasEnded = true;
      cancel();
    },
  };
}
