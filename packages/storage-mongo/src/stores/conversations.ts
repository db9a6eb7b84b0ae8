import {
  type AiStore,
  type ConversationKey,
  type ConversationRecord,
  parseQuestionFiles,
  type Turn,
  usePlaceOf,
} from "@telex/core/storage";
import { releaseRange, useFiles } from "./files.ts";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, plain, recordOrNull, recordsOf } from "../driver/collections.ts";
import { type Documents, recordOf } from "../driver/documents.ts";
import type { Ids } from "../clock/ids.ts";
import { removeMost } from "./parts.ts";
import type { Reads, Tx } from "../driver/transaction.ts";

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

/** The root of every verb that changes a conversation. */
export const conversationRoot = (conversationId: number): string => `conversation ${conversationId}`;

/** The filter for the messages of a conversation below an id, on the index of ids. */
const messagesOf = (conversationId: number, before: number | null) => ({
  _id: {
    $gte: { a: conversationId, b: 0 },
    $lt: before === null ? { a: conversationId + 1, b: 0 } : { a: conversationId, b: before },
  },
});

/** The filter for the messages of a conversation from one id to another. */
const rangeOf = (a: number, { from, to }: NonNullable<Turn["replaces"]>) => ({
  _id: { $gte: { a, b: from }, $lte: { a, b: to } },
});

async function findOwn(
  tx: Reads,
  { conversationId, userId }: ConversationKey,
): Promise<Documents["conversations"] | null> {
  const match = await tx.find("conversations", conversationId);
  return match?.userId === userId ? match : null;
}

async function removeRange(tx: Tx, conversationId: number, range: NonNullable<Turn["replaces"]>): Promise<void> {
  await tx.dropAll("conversationMessages", rangeOf(conversationId, range));
  await releaseRange(tx, -conversationId, range);
}

/** Adds both messages of a turn, if its conversation exists. */
export async function appendTurn(tx: Tx, ids: Ids, turn: Turn): Promise<void> {
  const match = await findOwn(tx, turn);
  if (match === null) return;
  const { conversationId, model, replaces, tokens, askedAt, answeredAt } = turn;
  if (replaces !== undefined) await removeRange(tx, conversationId, replaces);
  const questionId = await ids.next(tx, "conversationMessage", match.newest);
  const answered = await ids.next(tx, "conversationMessage", questionId);
  const common = { conversationId, model };
  const question = {
    role: "user",
    content: turn.question,
    finishReason: null,
    uses: null,
    files: turn.files ?? null,
    createdAt: askedAt,
  } as const;
  const answer = { role: "assistant", content: turn.answer, createdAt: answeredAt } as const;
  tx.add("conversationMessages", plain("conversationMessages", { ...common, ...question, id: questionId }));
  const reply = {
    ...common,
    ...answer,
    finishReason: turn.finishReason,
    uses: turn.uses ?? null,
    files: null,
    id: answered,
  };
  tx.add("conversationMessages", plain("conversationMessages", reply));
  const md5s = parseQuestionFiles(question.files).map(({ md5 }) => md5);
  await useFiles(tx, { md5s, attachments: [], now: askedAt }, usePlaceOf({ conversationId, id: questionId }));
  const totalToken = match.totalToken + tokens;
  tx.put("conversations", { ...match, totalToken, lastMessage: answeredAt, defaultModel: model, newest: answered });
}

/** Raises the counter to the greatest id that is deleted. */
async function keepNewest(tx: Tx, newest: number): Promise<void> {
  const name = "conversationMessage";
  const value = Math.max(newest, (await tx.find("counters", name))?.value ?? 0);
  tx.put("counters", { _id: name, name, value });
}

async function drop(tx: Tx, key: ConversationKey): Promise<boolean> {
  const match = await findOwn(tx, key);
  if (match === null) return false;
  await keepNewest(tx, match.newest);
  tx.drop("conversations", key.conversationId);
  await tx.dropAll("conversationMessages", messagesOf(key.conversationId, null));
  await releaseRange(tx, -key.conversationId, { from: 0, to: Number.MAX_SAFE_INTEGER });
  return true;
}

async function page(
  tx: Reads,
  { before, limit, ...key }: Parameters<AiStore["pageTurns"]>[0],
): ReturnType<AiStore["pageTurns"]> {
  if ((await findOwn(tx, key)) === null) return null;
  const filter = messagesOf(key.conversationId, before);
  const matches = await tx.list("conversationMessages", filter, { sort: { _id: -1 }, limit: limit + 1 });
  return { messages: recordsOf("conversationMessages", matches.slice(0, limit)), more: matches.length > limit };
}

const writeVerbs = (
  deps: StoreDeps,
  { ids, batches: { write, single } } = deps,
): Pick<AiStore, "appendConversation" | "amendConversation" | "dropConversation"> => ({
  appendConversation({ ...fields }) {
    return write("conversations", async (tx) => {
      const record: ConversationRecord = { id: await ids.count(tx, "conversation"), ...fields };
      tx.add("conversations", { ...plain("conversations", record), newest: 0 });
      return record;
    });
  },
  amendConversation(key, { ...change }) {
    return write(conversationRoot(key.conversationId), async (tx) => {
      const match = await findOwn(tx, key);
      if (match === null) return null;
      const amended = { ...match, ...change };
      tx.put("conversations", amended);
      return recordOf("conversations", amended);
    });
  },
  async dropConversation({ ...key }) {
    const { conversationId: _id, userId } = key;
    const own = await single(() => collectionOf(deps.db, "conversations").findOne({ _id, userId }));
    if (own !== null) await removeMost(deps, "conversationMessages", messagesOf(_id, null));
    return write(conversationRoot(_id), (tx) => drop(tx, key));
  },
});

/** Conversations with their messages. */
export function createConversationVerbs(deps: StoreDeps): ConversationVerbs {
  const conversations = collectionOf(deps.db, "conversations");
  const { single, read } = deps.batches;
  return {
    ...writeVerbs(deps),
    findConversation: ({ conversationId, userId }) =>
      single(async () => recordOrNull("conversations", await conversations.findOne({ _id: conversationId, userId }))),
    pageTurns: (asked) => read((tx) => page(tx, asked)),
    pageConversations: ({ userId, before, limit }) =>
      single(async () => {
        const below = conversations.find({ userId, _id: { $lt: before } }, { sort: { _id: -1 }, limit });
        return recordsOf("conversations", await below.toArray());
      }),
    listConversations: (userId, { offset, limit }) =>
      read(async (tx) => {
        const all = await tx.list("conversations", { userId }, { sort: { lastMessage: -1, _id: -1 } });
        return { total: all.length, list: recordsOf("conversations", all.slice(offset, offset + limit)) };
      }),
  };
}
