import { TelexError } from "@telex/core";
import type { Segment } from "../../wire/frames.ts";
import type { Acting, Actor } from "../context.ts";
import { readSegments } from "../incoming-parts.ts";
import { ownRooms, peerOf } from "../rooms/own-rooms.ts";
import { ActionError, assertCurrent } from "../results.ts";
import type { BookedRoom } from "../rooms/room-book.ts";

/** A message that was sent. */
interface Sent {
  readonly messageId: number;
  /** Unix milliseconds. */
  readonly createTime: number;
}

/**
 * The group with this id, of which the account is a member.
 * @throws TelexError `group_not_found`
 */
export async function enterGroup({ rooms, holder }: Actor, groupId: number): Promise<BookedRoom> {
  const room = await rooms.enter(groupId, holder.userId);
  if (room.isPrivate) throw new TelexError("group_not_found");
  return room;
}

/**
 * The room of the account and one other person.
 * @throws ActionError `missing`
 */
export async function findPrivate({ telex, rooms, holder }: Actor, userId: number): Promise<BookedRoom> {
  for await (const room of ownRooms(telex, rooms, holder)) {
    if (room.isPrivate && peerOf(room, holder.userId) === userId) return room;
  }
  throw new ActionError("missing", "The account has no private room with this user.");
}

/** Sends a message to a room, after those that the account has sent before. */
export async function send(actor: Acting, room: BookedRoom, message: readonly Segment[]): Promise<Sent> {
  const { telex, holder, turns, messageRooms } = actor;
  const { groupId, groupType } = room;
  return turns.run(`${holder.userId} ${groupId}`, async () => {
    const segments = await readSegments(actor, room, message);
    assertCurrent(actor);
    const sent = await telex.call("messages.send", holder, { groupId, groupType, message: segments });
    messageRooms.note(sent.messageId, groupId);
    return sent;
  });
}

/** Recalls a message of the account. */
export async function recall(actor: Acting, messageId: number): Promise<null> {
  const { telex, holder, messageRooms } = actor;
  const { room } = await messageRooms.find(holder, messageId);
  assertCurrent(actor);
  await telex.messages.recall(holder, { groupId: room.groupId, messageId });
  return null;
}
