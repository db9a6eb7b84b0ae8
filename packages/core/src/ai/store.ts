import type { Day } from "@telex/ground/time";
import type {
  Allocation,
  ConversationMessageRecord,
  ConversationRecord,
  Reservation,
  Settlement,
  Turn,
  Usage,
} from "../records/ai.ts";

/** Calendar days, the last one not included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** A conversation and the user who claims to own it. */
export interface ConversationKey {
  readonly conversationId: number;
  readonly userId: number;
}

/**
 * Quotas and conversations. Every verb is atomic among all callers of all processes; a promise resolves when its change is
 * durable. Usage is kept per calendar day, so that a period is a sum of days and changing it loses nothing.
 */
export interface AiStore {
  /** The user's own allocation, or null. */
  findAllocation(userId: number): Promise<Allocation | null>;

  /** Sets the allocation of a user. Does not change any usage. */
  assignAllocation(userId: number, allocation: Allocation): Promise<void>;

  /** The settled use of these days. Reservations do not count. */
  sumUsage(userId: number, days: DayRange): Promise<Usage>;

  /** The use of each of these days, oldest first, without days that have none. */
  listUsage(userId: number, days: DayRange): Promise<readonly (Usage & { readonly day: Day })[]>;

  /**
   * Reserves a share if the settled use, the unexpired reservations of these days and this share together are at most `max`,
   * in the given unit, and at most `maxStarted` started replies. Of N callers for the last share, exactly one MUST get it.
   * `max` is checked first. With `again`, it replaces the reservation with the same id, or returns `settled` if that has ended.
   */
  reserve(request: {
    readonly reservation: Reservation;
    readonly unit: "count" | "token";
    readonly max: number;
    /** Null if the number of started replies is not limited. */
    readonly maxStarted: number | null;
    readonly days: DayRange;
    /** Unix milliseconds: reservations that expired before do not count. */
    readonly now: number;
    readonly again?: true;
  }): Promise<"reserved" | "exceeded" | "too_many_started" | "settled">;

  /**
   * Ends a reservation, adds the actual use to its day, and adds the turn to its conversation, all or nothing. If the user does not
   * have this conversation any more, there is no turn. A second settlement of the same reservation changes nothing. A settlement of an
   * expired reservation still adds. In the same step, a turn removes the messages that it `replaces`, as far as they are there; later ones
   * stay. The files of its question count as used from `askedAt` on, until the question is removed. Returns whether it added.
   */
  settle(settlement: {
    readonly reservationId: string;
    readonly used: Usage;
    /** Default: none. */
    readonly turn?: Turn | null;
  }): Promise<boolean>;

  /**
   * Moves the end of a reservation, also of one that has expired, and replaces its settlement by `settleExpired`. False if it was
   * settled: then nothing changes.
   */
  touchReservation(touch: {
    readonly reservationId: string;
    /** Unix milliseconds. */
    readonly expiresAt: number;
    readonly soFar: Settlement;
  }): Promise<boolean>;

  /**
   * Settles reservations that have expired, at most `limit`, each as `settle` does: with what the last `touchReservation` gave, or with
   * nothing if there was none. Returns how many it settled: of N simultaneous callers exactly one settles each.
   */
  settleExpired(request: {
    /** Unix milliseconds. */
    readonly now: number;
    readonly limit: number;
  }): Promise<number>;

  /** Starts a conversation and assigns its id. */
  appendConversation(conversation: Omit<ConversationRecord, "id">): Promise<ConversationRecord>;

  /** The conversation, or null if it does not exist or belongs to another user. */
  findConversation(key: ConversationKey): Promise<ConversationRecord | null>;

  /** Changes title or status; null if the user does not have this conversation. */
  amendConversation(
    key: ConversationKey,
    change: { readonly title?: string; readonly status?: 0 | 1 },
  ): Promise<ConversationRecord | null>;

  /** Deletes a conversation with its messages; false if the user does not have this conversation. */
  dropConversation(key: ConversationKey): Promise<boolean>;

  /**
   * Messages of a conversation below `before` (all when null), newest first, at most `limit`; null if the user does not have
   * this conversation.
   */
  pageTurns(
    page: ConversationKey & { readonly before: number | null; readonly limit: number },
  ): Promise<{ readonly messages: readonly ConversationMessageRecord[]; readonly more: boolean } | null>;

  /** A user's conversations with an id below `before`, newest id first, at most `limit`. */
  pageConversations(page: {
    readonly userId: number;
    readonly before: number;
    readonly limit: number;
  }): Promise<readonly ConversationRecord[]>;

  /** A user's conversations by `lastMessage`, newest first, ties by id, newest first; `offset` and `limit` count rows. */
  listConversations(
    userId: number,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly list: readonly ConversationRecord[] }>;
}
