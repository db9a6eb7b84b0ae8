import type { MemberView, RoomsApi } from "../content/api.ts";
import { isMeant } from "../content/mention.ts";

/** Somebody who can be added to a room. */
export interface Person {
  readonly userId: number;
  readonly nickname: string;
  /** A further name, such as the username; may be empty. */
  readonly about: string;
  readonly avatar: string;
}

/** Finds people whose names match what was typed; all of them for an empty text. */
export type FindPeople = (typed: string) => Promise<readonly Person[]>;

/** Rooms whose members are looked at, and members of each. */
const mostRooms = 20;
const mostMembers = 100;

const isUser = ({ userId }: MemberView): boolean => userId !== null;

const personOf = ({ userId, nickname, nicknamePinyin, avatar }: MemberView): Person => ({
  userId: Number(userId),
  nickname,
  about: nicknamePinyin === nickname ? "" : nicknamePinyin,
  avatar,
});

/** The members of the newest rooms, each once. */
async function fetchMembers(api: RoomsApi["rooms"]): Promise<readonly MemberView[]> {
  const { list: rooms } = await api.list({ pageSize: mostRooms });
  const own = rooms.filter(({ bot }) => bot === null);
  const pages = await Promise.all(own.map(({ groupId }) => api.members({ groupId, pageSize: mostMembers })));
  const members = pages.flatMap(({ list }) => list).filter(isUser);
  return [...new Map(members.map((member) => [member.userId, member])).values()];
}

/** Finds people with whom the person shares a room. They are fetched once. */
export function createFindPeople(api: RoomsApi["rooms"], own: number): FindPeople {
  let known: Promise<readonly MemberView[]> | null = null;
  return async (typed) => {
    known ??= fetchMembers(api);
    const members = await known.catch((error: unknown) => {
      known = null;
      throw error;
    });
    return members.filter((member) => member.userId !== String(own) && isMeant(member, typed.trim())).map(personOf);
  };
}
