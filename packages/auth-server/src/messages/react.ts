import { TelexError, type MessageChange } from "@telex/core";
import { extrasOf, isNotice, type MessageExtras, type MessageRecord, type Room } from "@telex/core/storage";

/** Different emoji that a message may have. */
const mostEmoji = 20;

/** Reactions that a message may have: they are stored with it. */
const mostReactions = 1000;

/** One person reacts, or takes a reaction back. */
interface Reacting {
  readonly userId: number;
  readonly nickname: string;
  readonly emoji: string;
  readonly isRemoval: boolean;
}

type Reactions = MessageExtras["reactions"];

function added(reactions: Reactions, { userId, nickname, emoji }: Reacting): Reactions {
  const count = reactions.reduce((sum, { users }) => sum + users.length, 0);
  if (count >= mostReactions) throw new TelexError("limit_reached", { params: { max: mostReactions } });
  const known = reactions.find((one) => one.emoji === emoji);
  if (known === undefined && reactions.length >= mostEmoji)
    throw new TelexError("limit_reached", { params: { max: mostEmoji } });
  if (known === undefined) return [...reactions, { emoji, users: [[userId, nickname]] }];
  return reactions.map((one) => (one === known ? { emoji, users: [...known.users, [userId, nickname]] } : one));
}

const removed = (reactions: Reactions, { userId, emoji }: Reacting): Reactions =>
  reactions
    .map((one) => (one.emoji === emoji ? { emoji, users: one.users.filter(([id]) => id !== userId) } : one))
    .filter(({ users }) => users.length > 0);

/** @throws TelexError `archived`, `not_supported` for a notice */
export function assertChangeable(message: MessageRecord, { group }: Room): void {
  if (isNotice(message)) throw new TelexError("not_supported", { reason: "message_stays" });
  if (group.archived) throw new TelexError("archived");
}

/**
 * A reaction added or taken back; null if it is so already.
 * @throws TelexError `limit_reached`, and as {@link assertChangeable}
 */
export const reacting =
  (by: Reacting) =>
  (message: MessageRecord, _parts: unknown, room: Room): MessageChange | null => {
    assertChangeable(message, room);
    const extras = extrasOf(message);
    const { reactions } = extras;
    const own =
      reactions.find(({ emoji }) => emoji === by.emoji)?.users.some(([userId]) => userId === by.userId) === true;
    if (own !== by.isRemoval) return null;
    return { segments: null, extras: { ...extras, reactions: own ? removed(reactions, by) : added(reactions, by) } };
  };
