import { setTimeout as sleep } from "node:timers/promises";
import type { MessageView } from "@telex/core";
import { canPass, Refusal } from "../client/refusal.ts";
import { contentLines } from "../client/segments.ts";
import { type Calls, within } from "../client/with-client.ts";

/** A chat room of Telex that represents a group of the network. */
export interface SimulatedRoom {
  readonly groupId: string;
  readonly groupType: 0 | 4;
}

/** The final outcome of a message. `unknown`: the network may have it. */
export type SendOutcome = "sent" | "refused" | "unknown";

/** Milliseconds between two attempts, and for all attempts. */
const pause = 150;
const patience = 30_000;
/** Maximum repeats of a message with an unknown outcome. */
const repeats = 3;

const isUnknown = (error: unknown): boolean => error instanceof Refusal && error.error === "delivery_unknown";

const pauseFor = (error: unknown): number =>
  error instanceof Refusal && error.status === 429 ? (error.retryAfter ?? pause) : pause;

/**
 * Sends a text with a nonce, and repeats it while that may help. A repeat must never create a second message.
 * @throws Refusal if a repeat cannot help
 */
export async function sendToRoom(call: Calls, room: SimulatedRoom, text: string, nonce: string): Promise<SendOutcome> {
  const end = Date.now() + patience;
  let unknown = 0;
  for (;;) {
    try {
      await call(async ({ messages }) => await messages.send({ ...room, message: text, nonce }, within()));
      return "sent";
    } catch (error) {
      if (!canPass(error)) throw error;
      if (isUnknown(error)) unknown += 1;
      if (unknown > repeats) return "unknown";
      if (Date.now() >= end) return error instanceof Refusal && unknown === 0 ? "refused" : "unknown";
      await sleep(pauseFor(error));
    }
  }
}

const pageOf = async (call: Calls, room: SimulatedRoom, cursor: string | null, pageSize: number) => {
  const query = { ...room, pageSize, ...(cursor !== null && { cursor }) };
  return await call(async ({ messages }) => await messages.history(query, within()));
};

/** The id of the newest message of a room; 0 if it has none. */
export async function newestOf(call: Calls, room: SimulatedRoom): Promise<number> {
  return (await pageOf(call, room, null, 1)).groupMessages[0]?.messageId ?? 0;
}

/** The texts that a room has stored after a message. */
export async function textsAfter(call: Calls, room: SimulatedRoom, messageId: number): Promise<string[]> {
  const messages: MessageView[] = [];
  for (let cursor: string | null = null; ;) {
    const { groupMessages, nextPageCursor } = await pageOf(call, room, cursor, 100);
    const newer = groupMessages.filter((message) => message.messageId > messageId);
    messages.push(...newer);
    cursor = nextPageCursor;
    if (cursor === null || newer.length < groupMessages.length) break;
  }
  return messages.map(({ content }) => contentLines(content).join("\n"));
}
