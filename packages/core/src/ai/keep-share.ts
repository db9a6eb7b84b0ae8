import type { Limits } from "../options/limits.ts";
import type { Clock } from "../time/clock.ts";
import type { Share } from "./quota.ts";
import type { AiStore, Settlement } from "./store.ts";

/** What keeps shares alive. */
interface KeepShareDependencies {
  readonly clock: Clock;
  readonly limits: Pick<Limits, "replyLease">;
}

/** How many times a reply is stored in the life of its lease, so that a storage may be away for a while and clocks may differ. */
const savesPerLease = 5;

/**
 * Stores, at an interval, what a reply has said and used so far, and so shows that its server lives. A reply that ends within the first
 * interval writes nothing. The returned function ends it.
 */
export function keepShare(
  { clock, limits: { replyLease } }: KeepShareDependencies,
  share: Share,
  {
    soFar,
    lost,
  }: {
    readonly soFar: () => Settlement;
    /** Another server has settled the share, because this one showed no sign of life: nothing counts any more. */
    readonly lost: () => void;
  },
): () => void {
  let ended = false;
  let cancel = (): void => {};
  const save = async (): Promise<void> => {
    // A storage that is away may be back the next time.
    const isReserved = await share.extend(soFar()).catch(() => true);
    // A reply that has ended meanwhile has settled the share itself.
    if (ended) return;
    if (isReserved) plan();
    else lost();
  };
  // One save at a time, so that none overtakes a later one.
  const plan = (): void => {
    cancel = clock.after(replyLease / savesPerLease, () => void save());
  };
  plan();
  return () => {
    ended = true;
    cancel();
  };
}

/** What settling the replies of killed servers needs. */
interface LostRepliesDependencies extends KeepShareDependencies {
  readonly store: Pick<AiStore, "settleExpired">;
}

/** Replies that are settled in one call. */
const mostSettled = 100;
/** How many times in the life of a lease a server looks for replies of others. */
const looksPerLease = 3;

/**
 * Settles the replies of servers that are gone, now and at an interval: the store decides which server does it. Returns how to end it.
 */
export function settleLostReplies({ clock, limits, store }: LostRepliesDependencies): () => void {
  let ended = false;
  let cancel = (): void => {};
  const settle = async (): Promise<void> => {
    const count = await store.settleExpired({ now: clock.now(), limit: mostSettled });
    if (count === mostSettled && !ended) await settle();
  };
  const run = async (): Promise<void> => {
    // A storage that is away may be back the next time.
    await settle().catch(() => undefined);
    if (!ended) cancel = clock.after(limits.replyLease / looksPerLease, () => void run());
  };
  void run();
  return () => {
    ended = true;
    cancel();
  };
}
