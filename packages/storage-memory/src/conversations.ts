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

const byLastUse = (a: ConversationRecord, b: ConversationRecord): number => b.lastMessage - a.lastMessage || b.id - a.id;

/** Conversations with their messages in memory. */
export function createConversations(verb: Verb): ConversationVerbs {
  const conversations = new Map<number, Kept>();
  let lastId = 0;
  let lastMessageId = 0;

  const find = ({ conversationId, userId }: ConversationKey): Kept | null => {
    const kept = conversations.get(conversationId);
    return kept?.record.userId === userId ? kept : null;
  };
  const addMessage = (kept: Kept, message: Omit<ConversationMessageRecord, "id" | "conversationId">): void => {
    lastMessageId += 1;
    kept.messages.push({ ...message, id: lastMessageId, conversationId: kept.record.id });
  };
  const addTurn = (kept: Kept, { model, question, answer, finishReason, tokens, askedAt, answeredAt }: Turn): void => {
    addMessage(kept, { role: "user", content: question, model, finishReason: null, createdAt: askedAt });
    addMessage(kept, { role: "assistant", content: answer, model, finishReason, createdAt: answeredAt });
    const totalToken = kept.record.totalToken + tokens;
    kept.record = { ...kept.record, totalToken, lastMessage: answeredAt, defaultModel: model };
  };

  return {
    appendConversation: verb((conversation) => {
      lastId += 1;
      const record = { ...conversation, id: lastId };
      conversations.set(lastId, { record, messages: [] });
      return record;
    }),
    findConversation: verb((key) => find(key)?.record ?? null),
    amendConversation: verb((key, change) => {
      const kept = find(key);
      if (kept === null) return null;
      kept.record = { ...kept.record, ...change };
      return kept.record;
    }),
    dropConversation: verb((key) => find(key) !== null && conversations.delete(key.conversationId)),
    appendTurn: verb((turn) => {
      const kept = find(turn);
      if (kept === null) return "missing";
      addTurn(kept, turn);
      return "appended";
    }),
    pageTurns: verb(({ before, limit, ...key }) => {
      const messages = find(key)?.messages;
      if (messages === undefined) return null;
      const end = before === null ? messages.length : placeOf(messages, ({ id }) => id, before);
      return { messages: lastBefore(messages, end, limit), more: end > limit };
    }),
    listConversations: verb((userId, { offset, limit }) => {
      const own = Array.from(conversations.values(), ({ record }) => record).filter((record) => record.userId === userId);
      return { total: own.length, list: own.toSorted(byLastUse).slice(offset, offset + limit) };
    }),
  };
}
