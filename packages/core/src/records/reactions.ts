import { TelexError } from "@telex/ground/errors";
import type { MessageExtras } from "./messages.ts";

/** Different emoji that a message may have, and reactions: they are stored with it. */
const most = { emoji: 20, reactions: 1000 } as const;

type Reactions = MessageExtras["reactions"];

/** One person reacts, or removes a reaction. */
export interface Reacting {
  /** A user, or with a text a person of the room's network. */
  readonly userId: number | string;
  readonly nickname: string;
  readonly emoji: string;
  readonly isRemoval: boolean;
}

const has = ({ users, people }: Reactions[number], userId: number | string): boolean =>
  [...users, ...people].some(([id]) => id === userId);

function added(reactions: Reactions, { userId, nickname, emoji }: Reacting): Reactions {
  const count = reactions.reduce((sum, { users, people }) => sum + users.length + people.length, 0);
  if (count >= most.reactions) throw new TelexError("limit_reached", { params: { max: most.reactions } });
  const existing = reactions.find((one) => one.emoji === emoji);
  if (existing === undefined && reactions.length >= most.emoji)
    throw new TelexError("limit_reached", { params: { max: most.emoji } });
  const { users, people } = existing ?? { users: [], people: [] };
  const next =
    typeof userId === "number"
      ? { emoji, users: [...users, [userId, nickname] satisfies [number, string]], people }
      : { emoji, users, people: [...people, [userId, nickname] satisfies [string, string]] };
  return existing === undefined ? [...reactions, next] : reactions.map((one) => (one === existing ? next : one));
}

const removed = (reactions: Reactions, { userId, emoji }: Reacting): Reactions =>
  reactions
    .map((one) => ({
      ...one,
      users: one.users.filter(([id]) => one.emoji !== emoji || id !== userId),
      people: one.people.filter(([id]) => one.emoji !== emoji || id !== userId),
    }))
    .filter(({ users, people }) => users.length + people.length > 0);

/**
 * The reactions of a message with one added or taken back; null if it is so already.
 * @throws TelexError `limit_reached`
 */
export function changedReactions(reactions: Reactions, by: Reacting): Reactions | null {
  const isThere = reactions.some((one) => one.emoji === by.emoji && has(one, by.userId));
  if (isThere !== by.isRemoval) return null;
  return isThere ? removed(reactions, by) : added(reactions, by);
}
