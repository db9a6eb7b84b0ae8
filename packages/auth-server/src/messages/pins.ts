import { TelexError } from "@telex/core";
import { isNotice, isRecalled, type MessageRecord, type MessageStore, pinsOf, type Room } from "@telex/core/storage";
import { type Decide, isPrivate, runs } from "../groups/rules.ts";

/** Maximum pinned messages in a room. */
const maxPins = 50;

type FindMessage = MessageStore["findMessage"];

/** The pinned messages of a room, the newest pin first. A recalled message is no longer pinned. */
export async function pinnedIn({ group }: Room, findMessage: FindMessage): Promise<readonly MessageRecord[]> {
  const pinned = await Promise.all(pinsOf(group).map((id) => findMessage(group.groupId, id)));
  return pinned.filter((message) => message !== null).filter((message) => !isRecalled(message));
}

/** Pins or unpins a message. Owners and moderators may do so, and both members of a private chat. */
export const pinning =
  (messageId: number, isRemoval: boolean, findMessage: FindMessage): Decide =>
  async (room, me) => {
    if (!isPrivate(room) && !runs(me)) throw new TelexError("not_allowed");
    if (room.group.archived) throw new TelexError("archived");
    const message = await findMessage(room.group.groupId, messageId);
    if (message === null || isNotice(message) || isRecalled(message))
      throw new TelexError("not_found", { reason: "message_unknown", params: { messageId } });
    const isPinned = pinsOf(room.group).includes(messageId);
    if (isPinned !== isRemoval) return null;
    const others = (await pinnedIn(room, findMessage)).map(({ id }) => id).filter((id) => id !== messageId);
    if (!isRemoval && others.length >= maxPins) throw new TelexError("limit_reached", { params: { max: maxPins } });
    const pins = JSON.stringify(isRemoval ? others : [messageId, ...others]);
    return { change: { pins }, put: [], drop: [], notices: [] };
  };
