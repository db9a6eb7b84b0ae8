import { routeOf } from "@telex/ground/contract";
import type { ReadSegment } from "../records/content.ts";
import type { StoredSegment } from "../records/segments.ts";
import type { Room } from "../records/groups.ts";
import type { UserRecord } from "../records/users.ts";

export interface Mentionable {
  readonly userId: number;
  /** The ID in the external network, as segments of the kind `at` name it. Without one, they name the user. */
  readonly ext: string | null;
  readonly names: readonly string[];
}

const everybody = "all";

/** A pattern that matches the text itself. (`RegExp.escape` is missing in Node 22.) */
const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/**
 * An `@` that is not in the middle of a word, as in an address, and one of these names, the longest that fits, not
 * followed by what would make it a longer word or another character.
 */
function patternOf(names: readonly string[]): RegExp {
  const longestFirst = names.toSorted((a, b) => b.length - a.length).map(literally);
  return new RegExp(`(?<!\\w)@(${longestFirst.join("|")})(?![\\p{L}\\p{M}\\p{N}\\p{EMod}_\\u200D])`, "gu");
}

/** A cheap test for stored messages that may mention a member. */
export const mayMention = (content: string): boolean => content.includes("@") || content.includes('{"at":');

/** The members whom a message mentions by their own names, not by `all`. */
export function mentionedIn<M extends Mentionable>(segments: readonly ReadSegment[], members: readonly M[]): M[] {
  if (members.length === 0) return [];
  const pattern = patternOf(members.flatMap(({ names }) => names));
  const mentioned = new Set(
    segments.flatMap(({ text }) => [...(text?.text ?? "").matchAll(pattern)].map(([, name]) => name)),
  );
  const mentions = segments.flatMap(({ at }) => (at === undefined || at.ext === everybody ? [] : [at]));
  const bound = new Set(mentions.map(({ ext }) => ext));
  // A name alone is not enough: several members may have it.
  const userIds = new Set(mentions.flatMap(({ userId }) => userId ?? []));
  return members.filter(
    ({ userId, ext, names }) =>
      userIds.has(String(userId)) || (ext !== null && bound.has(ext)) || names.some((name) => mentioned.has(name)),
  );
}

/** The members of a room, with the names that mention them. */
const mentionableIn = (
  { group, members }: Room,
  findUser: (userId: number) => Promise<UserRecord | null>,
): Promise<(Mentionable & { readonly userId: number })[]> =>
  Promise.all(
    Array.from(members.values(), async ({ userId, card }) => {
      const user = await findUser(userId);
      const names = [user?.nickname ?? "", card ?? ""].filter((name) => name !== "");
      // In a room that is stored here, a user id stands for an ID of the network.
      const ownId = routeOf(group.groupType) === "store" ? String(userId) : null;
      return { userId, ext: user?.ext ?? ownId, names };
    }),
  );

/** The users whom a message mentions, as they are stored. Texts mention members by their names. */
export async function mentionsIn(
  content: readonly StoredSegment[],
  room: Room,
  findUser: (userId: number) => Promise<UserRecord | null>,
): Promise<string | null> {
  const segments = content.filter((segment) => "text" in segment || "at" in segment);
  if (mentionsAll(segments)) return " * ";
  if (!segments.some((segment) => "at" in segment || segment.text.text.includes("@"))) return null;
  const mentioned = mentionedIn(segments, await mentionableIn(room, findUser)).map(({ userId }) => userId);
  return mentioned.length === 0 ? null : ` ${mentioned.join(" ")} `;
}

export const mentionsAll = (segments: readonly ReadSegment[]): boolean =>
  segments.some(({ at }) => at?.ext === everybody);
