import type { GroupRecord } from "../../records/groups.ts";
import type { MessageRecord, OutboxRecord } from "../../records/messages.ts";
import type { SendKey } from "../../messages/outbox-store.ts";
import type { GatewayFaults } from "../faults.ts";
import type { GatewaysLimits } from "../limits.ts";
import type { NetworkMessageStore } from "../message-store.ts";
import { type SendOutcome, unknownOutcome } from "./outcome.ts";
import { type Expected, findEnd, type RowEndDeps } from "./row-end.ts";

/** Milliseconds for which a message waits after its claim or its last touch: longer than the pause of a server that continues afterwards. */
export const waitingLife = 20_000;
/** Milliseconds between two touches of the messages that wait. */
const touchEvery = 5000;
/** Milliseconds between two reads of the rows, on an installation of several servers. */
const lookEvery = 500;
/** Milliseconds for which the storage may fail before the outcome counts as unknown. */
const failingTime = 10_000;
/** Rows in one call of the storage. */
const mostRows = 1000;

interface OutcomesDeps extends RowEndDeps {
  readonly store: RowEndDeps["store"] & Pick<NetworkMessageStore, "listSends" | "touchSends">;
  readonly faults: GatewayFaults;
  readonly limits: RowEndDeps["limits"] & Pick<GatewaysLimits, "gatewayQueueTime">;
}

interface Waiting extends Expected {
  readonly settled: Promise<MessageRecord>;
  readonly settle: (outcome: SendOutcome) => void;
  /** False until the row is in the outbox. */
  isClaimed: boolean;
  /** Unix milliseconds from which the message must not begin any more. */
  readonly deadline: number;
  /** Since when its row could not be read (Unix milliseconds), or null. */
  failingSince: number | null;
}

/** The outcomes of messages in the outbox, for callers on this server. */
export interface Outcomes {
  /** Begins to wait for a message that is about to be claimed, so that no end is missed. */
  expect(expected: Expected): {
    /** Waits for the message, which is in the outbox now. @throws TelexError the error of its sender */
    readonly outcome: () => Promise<MessageRecord>;
    /** Does not wait: the message is not in the outbox. */
    readonly forget: () => void;
  };
  /**
   * The outcome of a message that was claimed before, for a repeat.
   * @throws TelexError the error of its sender
   */
  follow(key: SendKey, group: GroupRecord): Promise<MessageRecord>;
  /** The connection or device of this server on which a message was sent, or null. */
  originOf(id: string): object | null;
  /** A message has ended on this server, or on another one if `outcome` is null. */
  ended(id: string, outcome: SendOutcome | null): void;
}

type All = Map<string, Waiting>;

/** Reads the rows of messages, and settles those that have ended. */
function createLooks(deps: OutcomesDeps, all: All) {
  const { store, clock, faults, closing } = deps;
  const failed = (waiting: Waiting, cause: unknown, now: number): void => {
    faults.failed("outbox", "look at a message", cause);
    waiting.failingSince ??= now;
    // It may have been sent, or may be sent later.
    if (closing.aborted || now - waiting.failingSince >= failingTime) waiting.settle({ cause: unknownOutcome() });
  };
  const judge = async (waiting: Waiting, row: OutboxRecord | null, now: number): Promise<void> => {
    try {
      const end = await findEnd(deps, waiting, row, now);
      waiting.failingSince = null;
      if (end !== null) waiting.settle(end);
    } catch (cause) {
      failed(waiting, cause, now);
    }
  };
  const lookAt = async (some: readonly Waiting[], now = clock.now()): Promise<void> => {
    try {
      // Also rows whose time is over: a server with a slower clock may still start them.
      const rows = await store.listSends({ ids: some.map(({ id }) => id), now: 0 });
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const one of some) if (all.has(one.id)) await judge(one, byId.get(one.id) ?? null, now);
    } catch (cause) {
      for (const waiting of some) failed(waiting, cause, now);
    }
  };
  const lookAtAll = async (now: number): Promise<void> => {
    const claimed = Array.from(all.values()).filter(({ isClaimed }) => isClaimed);
    for (let at = 0; at < claimed.length; at += mostRows) await lookAt(claimed.slice(at, at + mostRows), now);
  };
  return { lookAt, lookAtAll };
}

/** Reads all waiting messages at an interval while there are any, and touches those that still wait. */
function createRounds(deps: OutcomesDeps, all: All, lookAtAll: (now: number) => Promise<void>) {
  const { store, clock, faults, hasPeers } = deps;
  let isPlanned = false;
  let isLooking = false;
  let touchedAt = 0;
  const touch = (now: number): void => {
    if (now - touchedAt < touchEvery) return;
    touchedAt = now;
    // A row never outlives the deadline of its sender.
    const recent = Array.from(all.values()).filter(({ deadline }) => now + waitingLife <= deadline);
    const ids = recent.map(({ id }) => id);
    for (let at = 0; at < ids.length; at += mostRows) {
      store
        .touchSends({ ids: ids.slice(at, at + mostRows), now, until: now + waitingLife })
        .catch((cause: unknown) => faults.failed("outbox", "keep waiting messages", cause));
    }
  };
  const plan = (): void => {
    if (isPlanned || all.size === 0) return;
    isPlanned = true;
    clock.after(hasPeers ? lookEvery : touchEvery, () => {
      isPlanned = false;
      plan();
      const now = clock.now();
      touch(now);
      if (isLooking) return;
      isLooking = true;
      void lookAtAll(now).finally(() => (isLooking = false));
    });
  };
  return { plan };
}

export function createOutcomes(deps: OutcomesDeps): Outcomes {
  const { clock, limits, closing } = deps;
  const all: All = new Map();
  const { lookAt, lookAtAll } = createLooks(deps, all);
  const { plan } = createRounds(deps, all, lookAtAll);
  const add = (expected: Expected): Waiting => {
    const { promise, resolve, reject } = Promise.withResolvers<MessageRecord>();
    promise.catch(() => undefined);
    const settle = (outcome: SendOutcome): void => {
      all.delete(expected.id);
      if ("message" in outcome) resolve(outcome.message);
      else reject(outcome.cause);
    };
    const deadline = clock.now() + limits.gatewayQueueTime;
    const waiting = { ...expected, settled: promise, settle, isClaimed: false, deadline, failingSince: null };
    all.set(expected.id, waiting);
    plan();
    return waiting;
  };
  closing.addEventListener("abort", () => void lookAtAll(clock.now()), { once: true });
  return {
    expect(expected) {
      const waiting = add(expected);
      return {
        outcome() {
          waiting.isClaimed = true;
          return waiting.settled;
        },
        forget: () => void all.delete(expected.id),
      };
    },
    follow({ account, id }, group) {
      const waiting = all.get(id) ?? add({ account, id, group, origin: null, storedElsewhere: () => undefined });
      waiting.isClaimed = true;
      void lookAt([waiting]);
      return waiting.settled;
    },
    originOf: (id) => all.get(id)?.origin ?? null,
    ended(id, outcome) {
      const waiting = all.get(id);
      if (waiting === undefined) return;
      if (outcome !== null) waiting.settle(outcome);
      else void lookAt([waiting]);
    },
  };
}
