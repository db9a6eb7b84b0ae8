import type { Day } from "../time.ts";

/** How much a user may use, of what, and for how long. */
export interface Allocation {
  readonly unit: "count" | "token";
  /** 0 and above. */
  readonly max: number;
  readonly period: "daily" | "weekly" | "monthly";
}

/** Calendar days, the last one not included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** What was used. */
export interface Usage {
  /** Completed replies. */
  readonly replies: number;
  readonly tokens: number;
}

/** A share of a quota that is set aside for a reply under way. */
export interface Reservation {
  /** A random word. */
  readonly reservationId: string;
  readonly userId: number;
  /** The day in which the reply began: it counts there, whenever it ends. */
  readonly day: Day;
  /** 0 and above: what the reply may use at most. */
  readonly replies: number;
  readonly tokens: number;
  /** Unix milliseconds: from then on the share is free again if nobody settled. */
  readonly expiresAt: number;
}

/** What is kept of a conversation. */
export interface ConversationRecord {
  readonly id: number;
  readonly userId: number;
  readonly title: string;
  /** 0 active, 1 archived. */
  readonly status: 0 | 1;
  readonly defaultModel: string;
  /** Unix milliseconds. */
  readonly lastMessage: number;
  readonly totalToken: number;
}

/**
 * Quotas and conversations. Every verb is atomic among all callers of all processes; a promise resolves when its change is
 * durable. Usage is kept per calendar day, so that a period is a sum of days and changing it loses nothing.
 */
export interface AiStore {
  /** The allocation of a user's own, or null. */
  findAllocation(userId: number): Promise<Allocation | null>;

  /** Gives the user this allocation in place of any before. Changes no usage. */
  assignAllocation(userId: number, allocation: Allocation): Promise<void>;

  /** What was settled in these days. Reservations do not count. */
  sumUsage(userId: number, days: DayRange): Promise<Usage>;

  /** Usage per day of these days, oldest first, days without use left out. */
  listUsage(userId: number, days: DayRange): Promise<readonly (Usage & { readonly day: Day })[]>;

  /**
   * Sets a share aside if settled use plus unexpired reservations of these days plus this share stay within `max`, in the
   * unit given. Of N callers for the last share exactly one MUST get it.
   */
  reserve(request: {
    readonly reservation: Reservation;
    readonly unit: "count" | "token";
    readonly max: number;
    readonly days: DayRange;
    /** Unix milliseconds: reservations that expired before do not count. */
    readonly now: number;
  }): Promise<"reserved" | "exceeded">;

  /**
   * Ends a reservation and adds what was really used to its day. A second settlement of the same reservation adds nothing;
   * one of an expired reservation still adds. Answers whether it added.
   */
  settle(settlement: { readonly reservationId: string; readonly used: Usage }): Promise<boolean>;

  /** Starts a conversation and assigns its id. */
  appendConversation(conversation: Omit<ConversationRecord, "id">): Promise<ConversationRecord>;

  /** A user's conversations by `lastMessage`, newest first, ties by id, newest first; `offset` and `limit` count rows. */
  listConversations(
    userId: number,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly list: readonly ConversationRecord[] }>;
}
