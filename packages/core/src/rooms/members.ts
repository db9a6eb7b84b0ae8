import type { z } from "zod";
import type { NetworkMember } from "../networks/gateway.ts";
import type { Room } from "../records/groups.ts";
import type { RoomsContract } from "./contract.ts";
import { memberView, networkMemberView, type RoomsDeps } from "./views.ts";

type Input = z.output<RoomsContract["members"]["input"]>;
type Output = z.output<RoomsContract["members"]["output"]>;

/** The number of the network's members before the page: they follow the members here. Null: the page begins with members here. */
const networkPlace = (cursor: string): number | null => (cursor.startsWith("n") ? Number(cursor.slice(1)) : null);

async function othersIn({ networkMembers, findUser }: RoomsDeps, room: Room): Promise<readonly NetworkMember[]> {
  const all = await networkMembers(room.group);
  if (all.length === 0) return all;
  const users = await Promise.all(Array.from(room.members.keys(), (userId) => findUser(userId)));
  const bound = new Set(users.map((user) => user?.ext ?? null));
  return all.filter(({ ext }) => !bound.has(ext));
}

/** A page of the members of a room: those here by user id, then those of the network by their IDs. */
export async function pageOfMembers(deps: RoomsDeps, room: Room, { cursor = "", pageSize }: Input): Promise<Output> {
  const place = networkPlace(cursor);
  const rest = place === null ? [...room.members.values()].filter(({ userId }) => userId > Number(cursor)) : [];
  const page = rest.slice(0, pageSize);
  const list = await Promise.all(page.map((member) => memberView(deps, member)));
  if (rest.length > page.length) return { list, nextCursor: String(page.at(-1)?.userId) };
  const others = await othersIn(deps, room);
  const start = place ?? 0;
  const end = start + pageSize - list.length;
  return {
    list: [...list, ...others.slice(start, end).map((member) => networkMemberView(deps, member))],
    nextCursor: end < others.length ? `n${end}` : null,
  };
}
