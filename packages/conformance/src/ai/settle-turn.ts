import assert from "node:assert/strict";
import type { AiStore, Turn } from "@telex/core/storage";
import { request } from "./kit.ts";

/** Keeps a turn as a reply does: with the settlement of its share. It is not kept if the user does not have the conversation. */
export async function settleTurn(ai: AiStore, turn: Turn): Promise<void> {
  const { conversationId, userId, question } = turn;
  const reservationId = `${conversationId} ${userId} ${question}`;
  assert.equal(await ai.reserve(request(reservationId, { userId, replies: 0 })), "reserved");
  assert.equal(await ai.settle({ reservationId, used: { replies: 0, tokens: 0, started: 0 }, turn }), true);
}
