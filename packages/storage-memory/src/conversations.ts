import type { AiStore, ConversationKey, ConversationMessageRecord, ConversationRecord, Turn } from "@telex/core";
import type { Verb } from "./gate.ts";
import { lastBefore, placeOf } from "./sorted.ts";

interface Kept {
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

function addTurn(kept: Kept, turn: Turn, nextId: () => number): void {
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
export function createConversations(verb: Verb): ConversationVerbs {
  const conversations = new Map<number, Kept>();
  const owned = new Map<number, Set<Kept>>();
  let lastId = 0;
  let lastMessageId = 0;
  const nextMessageId = (): number => (lastMessageId += 1);

  const find = ({ conversationId, userId }: ConversationKey): Kept | null => {
    const kept = conversations.get(conversationId);
    return kept?.record.userId === userId ? kept : null;
  };
  const add = (record: ConversationRecord): ConversationRecord => {
    const kept = { record, messages: [] };
    conversations.set(record.id, kept);
    const own = owned.get(record.userId) ?? new Set<Kept>();
    owned.set(record.userId, own.add(kept));
    return record;
  };
  return {
    appendConversation: verb((conversation) => {
      lastId += 1;
      return add({ ...conversation, id: lastId });
    }),
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
      addTurn(kept, turn, nextMessageId);
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
}
