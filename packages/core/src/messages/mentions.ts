import { routeOf } from "@telex/ground/contract";
import { namesIn } from "@telex/transcripts";
import type { ReadSegment } from "../records/content.ts";
import { everybody, type StoredSegment } from "../records/segments.ts";
import type { Room } from "../records/groups.ts";
import type { UserRecord } from "../records/users.ts";

export interface Mentionable {
  readonly userId: number;
  /** The ID in the external network, as segments of the kind `at` name it. Without one, they name the user. */
  readonly ext: string | null;
  readonly names: readonly string[];
}

type FindUser = (userId: number) => Promise<UserRecord | null>;

/** A cheap test for stored messages that may mention a member. */
export const mayMention = (content: string): boolean => content.includes("@") || content.includes('{"at":');

/** The members whom a message mentions by their own names, not by `all`. */
export function mentionedIn<M extends Mentionable>(segments: readonly ReadSegment[], members: readonly M[]): M[] {
  if (members.length === 0) return [];
  const texts = segments.flatMap(({ text }) => text?.text ?? []);
  const mentioned = namesIn(
    texts,
    members.flatMap(({ names }) => names),
  );
  const mentions = segments.flatMap(({ at }) => (at === undefined || at.ext === everybody.ext ? [] : [at]));
  const bound = new Set(mentions.map(({ ext }) => ext));
  // A name alone is not enough: several members may have it.
  const userIds = new Set(mentions.flatMap(({ userId }) => userId ?? []));
  return members.filter(
    ({ userId, ext, names }) =>
      userIds.has(String(userId)) || (ext !== null && bound.has(ext)) || names.some((name) => mentioned.has(name)),
  );
}

/** The members of a room, with the names that mention them. */
async function mentionableIn({ group, members }: Room, findUser: FindUser): Promise<Mentionable[]> {
  const all = [...members.values()];
  const users = await Promise.all(all.map(({ userId }) => findUser(userId)));
  // In a room that is stored here, a user id stands for an ID of the network.
  const isHere = routeOf(group.groupType) === "store";
  return all.map(({ userId, card }, at) => {
    const names = [users[at]?.nickname ?? "", card ?? ""].filter((name) => name !== "");
    return { userId, ext: users[at]?.ext ?? (isHere ? String(userId) : null), names };
  });
}

/** The users whom a message mentions, as they are stored. Texts mention members by their names. */
export async function mentionsIn(
  content: readonly StoredSegment[],
  room: Room,
  findUser: FindUser,
): Promise<string | null> {
  const segments = content.filter((segment) => "text" in segment || "at" in segment);
  if (mentionsAll(segments)) return " * ";
  if (!segments.some((segment) => "at" in segment || segment.text.text.includes("@"))) return null;
  const mentioned = mentionedIn(segments, await mentionableIn(room, findUser)).map(({ userId }) => userId);
  return mentioned.length === 0 ? null : ` ${mentioned.join(" ")} `;
}

export const mentionsAll = (segments: readonly ReadSegment[]): boolean =>
  segments.some(({ at }) => at?.ext === everybody.ext);
