import type { Day } from "../time/zone.ts";

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
  /** Replies that the model began, completed or not. */
  readonly started: number;
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
  readonly started: number;
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

/** A message of a conversation. */
export interface ConversationMessageRecord {
  /** Increases within a conversation. */
  readonly id: number;
  readonly conversationId: number;
  readonly role: "user" | "assistant";
  readonly content: string;
  /** The model that was asked or answered. */
  readonly model: string;
  /** Why the reply ended; null for a user's message. */
  readonly finishReason: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** A user's message and its reply. */
export interface Turn {
  readonly conversationId: number;
  readonly userId: number;
  readonly model: string;
  readonly question: string;
  /** What there is of the reply: it may have been stopped. */
  readonly answer: string;
  readonly finishReason: string;
  /** Tokens that are added to the conversation's. */
  readonly tokens: number;
  /** Unix milliseconds. */
  readonly askedAt: number;
  /** Unix milliseconds. */
  readonly answeredAt: number;
}

/** A conversation and whose it is claimed to be. */
export interface ConversationKey {
  readonly conversationId: number;
  readonly userId: number;
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
   * unit given, and within `maxStarted` started replies. Of N callers for the last share exactly one MUST get it.
   * `max` is checked first.
   */
  reserve(request: {
    readonly reservation: Reservation;
    readonly unit: "count" | "token";
    readonly max: number;
    /** Null where the number of started replies is not limited. */
    readonly maxStarted: number | null;
    readonly days: DayRange;
    /** Unix milliseconds: reservations that expired before do not count. */
    readonly now: number;
  }): Promise<"reserved" | "exceeded" | "too_many_started">;

  /**
   * Ends a reservation and adds what was really used to its day. A second settlement of the same reservation adds nothing;
   * one of an expired reservation still adds. Answers whether it added.
   */
  settle(settlement: { readonly reservationId: string; readonly used: Usage }): Promise<boolean>;

  /** Starts a conversation and assigns its id. */
  appendConversation(conversation: Omit<ConversationRecord, "id">): Promise<ConversationRecord>;

  /** The conversation, or null where there is none or it is somebody else's. */
  findConversation(key: ConversationKey): Promise<ConversationRecord | null>;

  /** Changes title or status; null where there is no such conversation of this user. */
  amendConversation(
    key: ConversationKey,
    change: { readonly title?: string; readonly status?: 0 | 1 },
  ): Promise<ConversationRecord | null>;

  /** Deletes a conversation with its messages; false where there is no such conversation of this user. */
  dropConversation(key: ConversationKey): Promise<boolean>;

  /**
   * Adds a question and its answer to a conversation, all or nothing: also its tokens, its last use and its model.
   * `missing` where there is no such conversation of this user.
   */
  appendTurn(turn: Turn): Promise<"appended" | "missing">;

  /** Messages of a conversation below `before` (all when null), newest first, at most `limit`; null where there is no such conversation of this user. */
  pageTurns(
    page: ConversationKey & { readonly before: number | null; readonly limit: number },
  ): Promise<{ readonly messages: readonly ConversationMessageRecord[]; readonly more: boolean } | null>;

  /** A user's conversations by `lastMessage`, newest first, ties by id, newest first; `offset` and `limit` count rows. */
  listConversations(
    userId: number,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly list: readonly ConversationRecord[] }>;
}
