import type { ConversationMessageRecord, ConversationRecord, Turn, AiStore } from "@telex/core/storage";
import { now } from "../support/fixtures.ts";
import { settleTurn } from "./settle-turn.ts";

export const user = 7;

export const conversation = (
  title: string,
  different: Partial<ConversationRecord> = {},
): Omit<ConversationRecord, "id"> => ({
  userId: user,
  title,
  status: 0,
  defaultModel: "echo",
  lastMessage: now,
  totalToken: 0,
  ...different,
});

export const turn = (conversationId: number, number: number): Turn => ({
  conversationId,
  userId: user,
  model: "echo",
  question: `问 ${number}`,
  answer: `答 ${number}`,
  finishReason: "stop",
  tokens: number,
  askedAt: now + number * 10,
  answeredAt: now + number * 10 + 5,
});

export async function messagesOf(
  store: AiStore,
  conversationId: number,
): Promise<readonly ConversationMessageRecord[]> {
  return (await store.pageTurns({ conversationId, userId: user, before: null, limit: 1000 }))?.messages ?? [];
}

/** The key of a conversation that has had a turn and was dropped. */
export async function dropped(store: AiStore): Promise<{ conversationId: number; userId: number }> {
  const { id: conversationId } = await store.appendConversation(conversation("chat"));
  await settleTurn(store, turn(conversationId, 1));
  await store.dropConversation({ conversationId, userId: user });
  return { conversationId, userId: user };
}
