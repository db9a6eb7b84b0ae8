import {
  type AiStore,
  type Allocation,
  type ConversationKey,
  type ConversationMessageRecord,
  type ConversationRecord,
  type Day,
  type DayRange,
  parseQuestionFiles,
  parseSettlement,
  type Settlement,
  type Turn,
  type Usage,
  usePlaceOf,
} from "@telex/core/storage";
import { givenConversation, givenMessage, prepareConversations, prepareQuota } from "../sql/ai.ts";
import type { SqliteBucketStore } from "./bucket.ts";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";

/** The input of {@link AiStore.reserve}. */
type ReserveRequest = Parameters<AiStore["reserve"]>[0];

/** The input of {@link AiStore.pageTurns}. */
type TurnPage = Parameters<AiStore["pageTurns"]>[0];

const messagesOf = (turn: Turn): readonly Omit<ConversationMessageRecord, "id">[] => {
  const { conversationId, model } = turn;
  return [
    {
      conversationId,
      model,
      role: "user",
      content: turn.question,
      finishReason: null,
      uses: null,
      files: turn.files ?? null,
      createdAt: turn.askedAt,
    },
    {
      conversationId,
      model,
      role: "assistant",
      content: turn.answer,
      finishReason: turn.finishReason,
      uses: turn.uses ?? null,
      files: null,
      createdAt: turn.answeredAt,
    },
  ];
};

const nothingKept: Settlement = { used: { replies: 0, tokens: 0, started: 0 }, turn: null };

/** Quotas and conversations. A reservation is a row until it is settled. */
export class SqliteAiStore implements AiStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #bucket: SqliteBucketStore;
  readonly #quota: ReturnType<typeof prepareQuota>;
  readonly #conversations: ReturnType<typeof prepareConversations>;

  constructor(database: Database, commit: GroupCommit, bucket: SqliteBucketStore) {
    this.#bucket = bucket;
    this.#database = database;
    this.#commit = commit;
    this.#quota = prepareQuota(database);
    this.#conversations = prepareConversations(database);
  }

  findAllocation(userId: number): Promise<Allocation | null> {
    return this.#database.read(() => this.#quota.allocation.one(userId));
  }

  assignAllocation(userId: number, allocation: Allocation): Promise<void> {
    const { unit, max, period } = allocation;
    return this.#commit.write(() => {
      this.#quota.assign(userId, unit, max, period);
    });
  }

  sumUsage(userId: number, days: DayRange): Promise<Usage> {
    return this.#database.read(() => this.#quota.used.only(userId, days.from, days.to));
  }

  listUsage(userId: number, days: DayRange): Promise<readonly (Usage & { readonly day: Day })[]> {
    return this.#database.read(() => this.#quota.usage.all(userId, days.from, days.to));
  }

  reserve(request: ReserveRequest): ReturnType<AiStore["reserve"]> {
    const copy = { ...request, reservation: { ...request.reservation }, days: { ...request.days } };
    const { reservationId, userId, day, replies, tokens, started, expiresAt } = copy.reservation;
    return this.#commit.write(() => {
      if (copy.again && !this.#quota.isReserved.one(reservationId)) return "settled";
      const sum = this.#wouldUse(copy);
      if ((copy.unit === "count" ? sum.replies : sum.tokens) > copy.max) return "exceeded";
      if (copy.maxStarted !== null && sum.started > copy.maxStarted) return "too_many_started";
      this.#quota.reserve(reservationId, userId, day, replies, tokens, started, expiresAt);
      return "reserved";
    });
  }

  settle({ reservationId, used, turn = null }: Parameters<AiStore["settle"]>[0]): Promise<boolean> {
    const settlement = structuredClone({ used, turn });
    return this.#commit.write(() => this.#settle(reservationId, settlement));
  }

  touchReservation({
    reservationId,
    expiresAt,
    soFar,
  }: Parameters<AiStore["touchReservation"]>[0]): ReturnType<AiStore["touchReservation"]> {
    const json = JSON.stringify(soFar);
    return this.#commit.write(() => this.#quota.touch(expiresAt, json, reservationId) > 0);
  }

  settleExpired({ now, limit }: Parameters<AiStore["settleExpired"]>[0]): ReturnType<AiStore["settleExpired"]> {
    return this.#commit.write(() => {
      const expired = this.#quota.expired.all(now, limit);
      for (const { reservationId, soFar } of expired)
        this.#settle(reservationId, soFar === null ? nothingKept : parseSettlement(soFar));
      return expired.length;
    });
  }

  appendConversation(conversation: Omit<ConversationRecord, "id">): Promise<ConversationRecord> {
    const values = givenConversation.values(conversation);
    return this.#commit.write(() => this.#conversations.insert.only(...values));
  }

  findConversation({ conversationId, userId }: ConversationKey): Promise<ConversationRecord | null> {
    return this.#database.read(() => this.#conversations.find.one(conversationId, userId));
  }

  amendConversation(
    { conversationId, userId }: ConversationKey,
    change: { readonly title?: string; readonly status?: 0 | 1 },
  ): Promise<ConversationRecord | null> {
    const changed = { ...change };
    return this.#commit.write(() => {
      const before = this.#conversations.find.one(conversationId, userId);
      if (before === null) return null;
      const conversation = { ...before, ...changed };
      this.#conversations.amend(conversation.title, conversation.status, conversationId);
      return conversation;
    });
  }

  dropConversation({ conversationId, userId }: ConversationKey): Promise<boolean> {
    return this.#commit.write(() => {
      if (this.#conversations.drop(conversationId, userId) === 0) return false;
      this.#bucket.releaseRange(-conversationId, 0, Number.MAX_SAFE_INTEGER);
      return true;
    });
  }

  pageTurns({ conversationId, userId, before, limit }: TurnPage): ReturnType<AiStore["pageTurns"]> {
    return this.#database.readTogether(() => {
      if (this.#conversations.find.one(conversationId, userId) === null) return null;
      const below = before ?? Number.MAX_SAFE_INTEGER;
      const rows = this.#conversations.pageMessages.all(conversationId, below, limit + 1);
      return { messages: rows.slice(0, limit), more: rows.length > limit };
    });
  }

  pageConversations({
    userId,
    before,
    limit,
  }: Parameters<AiStore["pageConversations"]>[0]): Promise<readonly ConversationRecord[]> {
    return this.#database.read(() => this.#conversations.page.all(userId, before, limit));
  }

  listConversations(
    userId: number,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly list: readonly ConversationRecord[] }> {
    return this.#database.readTogether(() => ({
      total: this.#conversations.count.only(userId),
      list: this.#conversations.list.all(userId, page.limit, page.offset),
    }));
  }

  /** Ends a reservation; false if it does not exist. Only call it in a transaction. */
  #settle(reservationId: string, { used: { replies, tokens, started }, turn }: Settlement): boolean {
    const reserver = this.#quota.release.one(reservationId);
    if (reserver === null) return false;
    if (replies > 0 || tokens > 0 || started > 0)
      this.#quota.use(reserver.userId, reserver.day, replies, tokens, started);
    if (turn !== null) this.#addTurn(turn);
    return true;
  }

  /** Adds both messages of a turn, if its conversation exists. Only call it in a transaction. */
  #addTurn(turn: Turn): void {
    const { conversationId, userId, model, replaces, tokens, answeredAt } = turn;
    if (this.#conversations.advance(tokens, answeredAt, model, conversationId, userId) === 0) return;
    if (replaces !== undefined) {
      this.#conversations.dropMessages(conversationId, replaces.from, replaces.to);
      this.#bucket.releaseRange(-conversationId, replaces.from, replaces.to);
    }
    for (const message of messagesOf(turn)) this.#addMessage(message);
  }

  /** Adds a message, and marks its files as used. Only call it in a transaction. */
  #addMessage(message: Omit<ConversationMessageRecord, "id">): void {
    const id = this.#conversations.addMessage.only(...givenMessage.values(message));
    const files = parseQuestionFiles(message.files).map(({ md5 }) => md5);
    const { conversationId, createdAt: receiveTime } = message;
    if (files.length > 0)
      this.#bucket.use({ files, attachments: [] }, { ...usePlaceOf({ conversationId, id }), receiveTime });
  }

  /** The usage of the days, including this reservation. */
  #wouldUse({ reservation, days, now }: ReserveRequest): Usage {
    const { userId, reservationId } = reservation;
    const used = this.#quota.used.only(userId, days.from, days.to);
    const reserved = this.#quota.reserved.only(userId, now, days.from, days.to, reservationId);
    return {
      replies: used.replies + reserved.replies + reservation.replies,
      tokens: used.tokens + reserved.tokens + reservation.tokens,
      started: used.started + reserved.started + reservation.started,
    };
  }
}
