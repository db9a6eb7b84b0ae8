import {
  type AiStore,
  type ConversationKey,
  type ConversationMessageRecord,
  type ConversationRecord,
  parseQuestionFiles,
  type Turn,
  usePlaceOf,
} from "@telex/core/storage";
import type { Counters } from "../engine/counters.ts";
import type { Files } from "./files.ts";
import type { Verb } from "../engine/gate.ts";
import { lastBefore, indexOfKey, putSorted } from "../engine/sorted.ts";
import type { Kept, Tables } from "../engine/tables.ts";

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
  | "pageTurns"
  | "pageConversations"
  | "listConversations"
>;

const idOf = ({ id }: ConversationMessageRecord): number => id;

const byLastUse = (a: ConversationRecord, b: ConversationRecord): number =>
  b.lastMessage - a.lastMessage || b.id - a.id;

function removeRange(
  messages: ConversationMessageRecord[],
  { from, to }: NonNullable<Turn["replaces"]>,
): ConversationMessageRecord[] {
  const first = indexOfKey(messages, idOf, from);
  return messages.splice(first, indexOfKey(messages, idOf, to + 1) - first);
}

/** Frees the files that only this message uses. */
const releaseFrom =
  (files: Files) =>
  (message: ConversationMessageRecord): void => {
    if (message.files !== null) files.release(usePlaceOf(message), []);
  };

function addTurnTo(conversation: Conversation, turn: Turn, nextId: () => number, files: Files): void {
  const release = releaseFrom(files);
  const { model, question, answer, finishReason, uses = null, replaces, tokens, askedAt, answeredAt } = turn;
  if (replaces !== undefined) removeRange(conversation.messages, replaces).forEach(release);
  const common = { conversationId: conversation.record.id, model, uses: null, files: null };
  const message = { ...common, id: nextId(), content: question, files: turn.files ?? null, createdAt: askedAt };
  const answered = { ...common, id: nextId(), content: answer, finishReason, uses, createdAt: answeredAt };
  conversation.messages.push({ ...message, role: "user", finishReason: null }, { ...answered, role: "assistant" });
  const md5s = parseQuestionFiles(message.files).map(({ md5 }) => md5);
  if (md5s.length > 0) files.use({ md5s, attachments: [], now: askedAt }, usePlaceOf(message));
  const totalToken = conversation.record.totalToken + tokens;
  conversation.record = { ...conversation.record, totalToken, lastMessage: answeredAt, defaultModel: model };
}

type AddTurn = (turn: Turn) => void;

/** All conversations, by their ids and by their users. */
interface Conversations {
  readonly find: (key: ConversationKey) => Conversation | null;
  readonly ownOf: (userId: number) => ConversationRecord[];
  readonly put: (record: ConversationRecord) => ConversationRecord;
  readonly drop: (kept: Conversation) => void;
  readonly all: ReadonlyMap<number, Conversation>;
}

function createBook(files: Files): Conversations {
  const all = new Map<number, Conversation>();
  const owned = new Map<number, Set<Conversation>>();
  return {
    all,
    find({ conversationId, userId }) {
      const stored = all.get(conversationId);
      return stored?.record.userId === userId ? stored : null;
    },
    ownOf: (userId) => Array.from(owned.get(userId) ?? [], ({ record }) => record),
    put(record) {
      const stored = all.get(record.id) ?? { record, messages: [] };
      stored.record = record;
      all.set(record.id, stored);
      const own = owned.get(record.userId) ?? new Set<Conversation>();
      owned.set(record.userId, own.add(stored));
      return record;
    },
    drop(conversation) {
      conversation.messages.forEach(releaseFrom(files));
      owned.get(conversation.record.userId)?.delete(conversation);
      all.delete(conversation.record.id);
    },
  };
}

const verbsOf = (verb: Verb, { find, ownOf, put, drop }: Conversations, counters: Counters): ConversationVerbs => ({
  appendConversation: verb((conversation) => put({ ...conversation, id: counters.conversation.next() })),
  findConversation: verb((key) => find(key)?.record ?? null),
  amendConversation: verb((key, change) => {
    const stored = find(key);
    if (stored === null) return null;
    stored.record = { ...stored.record, ...change };
    return stored.record;
  }),
  dropConversation: verb((key) => {
    const stored = find(key);
    if (stored === null) return false;
    drop(stored);
    return true;
  }),
  pageTurns: verb(({ before, limit, ...key }) => {
    const messages = find(key)?.messages;
    if (messages === undefined) return null;
    const end = before === null ? messages.length : indexOfKey(messages, idOf, before);
    return { messages: lastBefore(messages, end, limit), more: end > limit };
  }),
  pageConversations: verb(({ userId, before, limit }) =>
    ownOf(userId)
      .filter(({ id }) => id < before)
      .toSorted((a, b) => b.id - a.id)
      .slice(0, limit),
  ),
  listConversations: verb((userId, { offset, limit }) => {
    const own = ownOf(userId);
    return { total: own.length, list: own.toSorted(byLastUse).slice(offset, offset + limit) };
  }),
});

/** Conversations with their messages in memory. */
export function createConversations(
  verb: Verb,
  counters: Counters,
  files: Files,
): Kept<ConversationVerbs, "conversations" | "conversationMessages"> & { readonly addTurn: AddTurn } {
  const book = createBook(files);
  const addTurn: AddTurn = (turn) => {
    const stored = book.find(turn);
    if (stored !== null) addTurnTo(stored, turn, counters.conversationMessage.next, files);
  };
  return { store: verbsOf(verb, book, counters), tables: tablesOf(book, counters), addTurn };
}

const tablesOf = (
  { all: conversations, put }: Conversations,
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
      if (messages === undefined)
        throw new Error(`A message names conversation ${message.conversationId}, which does not exist.`);
      counters.conversationMessage.raise(message.id);
      putSorted(messages, idOf, { ...message });
    },
  },
});
