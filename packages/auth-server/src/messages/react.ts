import { TelexError, type MessageChange, type MessageView } from "@telex/core";
import {
  changedReactions,
  extrasOf,
  isNotice,
  isRecalled,
  type MessageRecord,
  type Reacting,
  type Room,
} from "@telex/core/storage";
import { createInTurn } from "@telex/core/transport";
import type { z } from "zod";
import type { RoomMessagesContract } from "../contract/messages.ts";
import type { AuthDeps } from "../options.ts";
import { emojiOf } from "./emoji.ts";

/** @throws TelexError `archived`, `not_supported` for a notice */
export function assertChangeable(message: MessageRecord, { group }: Room): void {
  if (isNotice(message)) throw new TelexError("not_supported", { reason: "message_stays" });
  if (group.archived) throw new TelexError("archived");
}

/**
 * Adds or removes a reaction; null if nothing changes.
 * @throws TelexError `limit_reached`, and as {@link assertChangeable}
 */
export const reacting =
  (by: Reacting) =>
  (message: MessageRecord, _parts: unknown, room: Room): MessageChange | null => {
    assertChangeable(message, room);
    const extras = extrasOf(message);
    const reactions = changedReactions(extras.reactions, by);
    return reactions === null ? null : { segments: null, extras: { ...extras, reactions } };
  };

type Given = z.output<RoomMessagesContract["react"]["input"]>;

type Decide = ReturnType<typeof reacting>;

/**
 * Asks the network of a room for the reaction, unless the room would refuse it or another member has the same one: the account reacts for all
 * of them. A reaction that the network no longer has can be removed here.
 */
async function reactThere({ telex, storage }: AuthDeps, { groupId, messageId }: Given, by: Reacting, decide: Decide) {
  const room = await storage.groups.findRoom(groupId);
  const message = await storage.messages.findMessage(groupId, messageId);
  // Amending reports what is missing.
  if (room === null || message === null || isRecalled(message)) return;
  if (decide(message, [], room) === null) return;
  const { emoji, isRemoval } = by;
  const users = extrasOf(message).reactions.find((one) => one.emoji === emoji)?.users ?? [];
  if (users.some(([userId]) => userId !== by.userId)) return;
  try {
    await telex.reactInNetwork(room.group, messageId, { emoji, isRemoval });
  } catch (cause) {
    if (!isRemoval || !TelexError.is(cause) || cause.code !== "not_supported") throw cause;
  }
}

/** @throws TelexError `invalid_request` for a text that is not an emoji */
function readEmoji(text: string): string {
  const emoji = emojiOf(text);
  if (emoji === null)
    throw new TelexError("invalid_request", { issues: [{ path: "emoji", problem: "invalid", params: {} }] });
  return emoji;
}

/**
 * Changes reactions of messages. In a room of a network the network comes first, and reactions to one message run one after another: a member
 * must not remove what another one has just asked for. Servers do not wait for each other; a repeat repairs conflicts between them.
 */
export function createReactions(deps: AuthDeps) {
  const turns = createInTurn();
  return async (userId: number, input: Given, isOurs: boolean): Promise<MessageView> => {
    const { groupId, messageId, remove: isRemoval } = input;
    const emoji = readEmoji(input.emoji);
    const nickname = (await deps.storage.users.findUser(userId))?.nickname ?? "";
    const by = { userId, nickname, emoji, isRemoval };
    const decide = reacting(by);
    const amend = async () => await deps.telex.amendMessage({ groupId, messageId, userId, decide });
    if (isOurs) return await amend();
    return await turns.run(`${groupId} ${messageId}`, async () => {
      await reactThere(deps, input, by, decide);
      return await amend();
    });
  };
}
