import type {
  AiStore,
  ConversationKey,
  ConversationMessageRecord,
  ConversationRecord,
  Turn,
} from "@telex/core/storage";
import type { Counters } from "./counters.ts";
import type { Verb } from "./gate.ts";
import { lastBefore, placeOf, putSorted } from "./sorted.ts";
import type { Kept, Tables } from "./tables.ts";

interface Conversation {
  record: ConversationRecord;
  /** By id, which increases. */
  readonly messages: ConversationMessageRecord[];
}

type ConversationVerbs = Pick<
  AiStore,
  | "appendConversation"
  | "findConversation"
  | "amendConversation"
  | "dropConversation"
  | "appendTurn"
  | "pageTurns"
  | "listConversations"
>;

const byLastUse = (a: ConversationRecord, b: ConversationRecord): number =>
  b.lastMessage - a.lastMessage || b.id - a.id;

function addTurn(kept: Conversation, turn: Turn, nextId: () => number): void {
  const { model, question, answer, finishReason, tokens, askedAt, answeredAt } = turn;
  const common = { conversationId: kept.record.id, model };
  kept.messages.push(
    { ...common, id: nextId(), role: "user", content: question, finishReason: null, createdAt: askedAt },
    { ...common, id: nextId(), role: "assistant", content: answer, finishReason, createdAt: answeredAt },
  );
  const totalToken = kept.record.totalToken + tokens;
  kept.record = { ...kept.record, totalToken, lastMessage: answeredAt, defaultModel: model };
}

/** Conversations with their messages in memory. */
export function createConversations(
  verb: Verb,
  counters: Counters,
): Kept<ConversationVerbs, "conversations" | "conversationMessages"> {
  const conversations = new Map<number, Conversation>();
  const owned = new Map<number, Set<Conversation>>();

  const find = ({ conversationId, userId }: ConversationKey): Conversation | null => {
    const kept = conversations.get(conversationId);
    return kept?.record.userId === userId ? kept : null;
  };
  const put = (record: ConversationRecord): ConversationRecord => {
    const kept = conversations.get(record.id) ?? { record, messages: [] };
    kept.record = record;
    conversations.set(record.id, kept);
    const own = owned.get(record.userId) ?? new Set<Conversation>();
    owned.set(record.userId, own.add(kept));
    return record;
  };
  const store: ConversationVerbs = {
    appendConversation: verb((conversation) => put({ ...conversation, id: counters.conversation.next() })),
    findConversation: verb((key) => find(key)?.record ?? null),
    amendConversation: verb((key, change) => {
      const kept = find(key);
      if (kept === null) return null;
      kept.record = { ...kept.record, ...change };
      return kept.record;
    }),
    dropConversation: verb((key) => {
      const kept = find(key);
      if (kept === null) return false;
      owned.get(key.userId)?.delete(kept);
      return conversations.delete(key.conversationId);
    }),
    appendTurn: verb((turn) => {
      const kept = find(turn);
      if (kept === null) return "missing";
      addTurn(kept, turn, counters.conversationMessage.next);
      return "appended";
    }),
    pageTurns: verb(({ before, limit, ...key }) => {
      const messages = find(key)?.messages;
      if (messages === undefined) return null;
      const end = before === null ? messages.length : placeOf(messages, ({ id }) => id, before);
      return { messages: lastBefore(messages, end, limit), more: end > limit };
    }),
    listConversations: verb((userId, { offset, limit }) => {
      const own = Array.from(owned.get(userId) ?? [], ({ record }) => record);
      return { total: own.length, list: own.toSorted(byLastUse).slice(offset, offset + limit) };
    }),
  };
  return { store, tables: tablesOf(conversations, put, counters) };
}

const idOf = ({ id }: ConversationMessageRecord): number => id;

const tablesOf = (
  conversations: ReadonlyMap<number, Conversation>,
  put: (record: ConversationRecord) => ConversationRecord,
  counters: Counters,
): Tables<"conversations" | "conversationMessages"> => ({
  conversations: {
    all: () => conversations.values().map(({ record }) => record),
    put(record) {
      counters.conversation.raise(record.id);
      put({ ...record });
    },
  },
  conversationMessages: {
    *all() {
      for (const { messages } of conversations.values()) yield* messages;
    },
    put(message) {
      const messages = conversations.get(message.conversationId)?.messages;
      if (messages === undefined) throw new Error(`There is no conversation ${message.conversationId} of a message.`);
      counters.conversationMessage.raise(message.id);
      putSorted(messages, idOf, { ...message });
    },
  },
});
