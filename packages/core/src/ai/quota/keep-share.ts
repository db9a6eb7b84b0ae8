import { createOnce, type Logger } from "@telex/ground/log";
import { repeat, type Clock } from "@telex/ground/time";
import type { AiLimits } from "../limits.ts";
import type { Share } from "./quota.ts";
import type { AiStore } from "../store.ts";
import type { Settlement } from "../../records/ai.ts";

export type RetriedFailure = (cause: unknown) => void;

/** Logs each cause once a minute, regardless of the number of replies with it. */
export function logRetried(
  { log, clock }: { readonly log: Logger; readonly clock: Clock },
  event: string,
): RetriedFailure {
  const isFirst = createOnce(clock);
  return (cause) => {
    if (isFirst(cause instanceof Error ? cause.message : String(cause))) log.error(event, {}, cause);
  };
}

interface KeepShareDeps {
  readonly clock: Clock;
  readonly limits: Pick<AiLimits, "replyLease">;
  readonly saveFailed: RetriedFailure;
}

/** A reply is stored this many times in the life of its lease, so that a storage may be away for a while and clocks may differ. */
const savesPerLease = 5;

export interface KeptShare {
  /** Call it after a piece of the reply. The first one is stored soon: not within this tick, in which a short reply may come whole. */
  readonly said: () => void;
  /** Stores it now. */
  readonly now: () => Promise<void>;
  readonly end: () => void;
}

/**
 * Stores the text and the use of a reply after its first piece, and at an interval. This also shows that its server is alive. A piece
 * costs no write.
 */
export function keepShare(
  { clock, limits: { replyLease }, saveFailed }: KeepShareDeps,
  share: Share,
  {
    soFar,
    lost,
  }: {
    readonly soFar: () => Settlement;
    /** Another server has settled the share, because this one gave no sign of life. Later use does not count. */
    readonly lost: () => void;
  },
): KeptShare {
  const interval = replyLease / savesPerLease;
  let wait = interval;
  let hasSaid = false;
  let saving: Promise<void> | null = null;
  let ended = false;
  let cancel = (): void => {};
  const save = async (): Promise<void> => {
    const isReserved = await extend();
    saving = null;
    // A reply that has ended since has settled the share itself.
    if (ended) return;
    if (isReserved) plan();
    else lost();
  };
  const extend = async (): Promise<boolean> => {
    try {
      return await share.extend(soFar());
    } catch (cause) {
      // A storage that is away may be back the next time.
      saveFailed(cause);
      return true;
    }
  };
  // One save at a time, so that none overtakes a later one.
  const plan = (): void => {
    cancel();
    cancel = clock.after(wait, () => void (saving = save()));
    wait = interval;
  };
  plan();
  return {
    said() {
      if (hasSaid) return;
      hasSaid = true;
      wait = 0;
      if (saving === null) plan();
    },
    async now() {
      await saving;
      cancel();
      await (saving = save());
    },
    end() {
      ended = true;
      cancel();
    },
  };
}

interface LostRepliesDeps extends Omit<KeepShareDeps, "saveFailed"> {
  readonly log: Logger;
  readonly store: Pick<AiStore, "settleExpired">;
}

const mostSettled = 100;
/** The number of checks for replies of other servers in the life of a lease. */
const looksPerLease = 3;

/**
 * Settles the replies of servers that are gone, now and at an interval. The store decides which server does it. The returned function ends this.
 */
export function settleLostReplies({ clock, limits, store, log }: LostRepliesDeps): () => void {
  const failed = logRetried({ log, clock }, "ai.settle_failed");
  let hasEnded = false;
  const settle = async (): Promise<void> => {
    const count = await store.settleExpired({ now: clock.now(), limit: mostSettled });
    if (count === mostSettled && !hasEnded) await settle();
  };
  // A storage that is away may be back the next time.
  const settleAll = (): Promise<void> => settle().catch(failed);
  void settleAll();
  const end = repeat(clock, limits.replyLease / looksPerLease, settleAll);
  return () => {
    hasEnded = true;
    end();
  };
}
