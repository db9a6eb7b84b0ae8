import { TelexError } from "@telex/core";
import { type LinkRecord, type LinkUse, newMember, type Room } from "@telex/core/storage";
import { z } from "zod";
import { changeRoomAs, enterRoom } from "../groups/change-room.ts";
import { assertCanBeAdded } from "../groups/rooms.ts";
import { assertRunsOpen, type Decision, runs } from "../groups/rules.ts";
import type { AuthDeps } from "../options.ts";
import { isSuspended } from "../sessions/suspended.ts";
import { makeLink, type MadeLink, readLink } from "./links.ts";

const kind = "room";
const linkData = z.object({ groupId: z.int() });
const prefixOf = (groupId: number): string => `${groupId}-`;

/** A room, and the member who looks after its links. */
interface RoomKey {
  readonly groupId: number;
  readonly userId: number;
}

/** Links with which people who have an account join a room. */
export interface RoomLinks {
  /** @throws TelexError `group_not_found`, `not_allowed`, `not_supported`, `archived`, `quota_exceeded` */
  readonly make: (key: RoomKey, link: { readonly uses: number; readonly life: number }) => Promise<MadeLink>;
  /**
   * Links of the room by id, those that have ended as well, until they are swept.
   * @throws TelexError `group_not_found`, `not_allowed`, `not_supported`
   */
  readonly page: (key: RoomKey, page: { readonly after: string; readonly limit: number }) => Promise<LinkRecord[]>;
  /** @throws TelexError `group_not_found`, `not_allowed`, `not_supported`, `not_found` */
  readonly revoke: (key: RoomKey, linkId: string) => Promise<void>;
  /** The room that a link opens, without using the link. Null if the secret is not of such a link. @throws TelexError `link_ended` */
  readonly look: (secret: string) => Promise<Room | null>;
  /**
   * Makes a user a member of the room of a link, and returns its id. If the user already is one, the link loses no use.
   * @throws TelexError `link_ended`, `archived`, `user_not_found`, `busy`
   */
  readonly join: (secret: string, userId: number) => Promise<number>;
}

async function enterToRun({ storage }: AuthDeps, key: RoomKey): Promise<void> {
  const { me } = await enterRoom(storage.groups, key);
  if (!runs(me)) throw new TelexError("not_allowed");
}

function createCare(deps: AuthDeps): Pick<RoomLinks, "make" | "page" | "revoke"> {
  const { telex, storage } = deps;
  const { accounts, groups } = storage;
  return {
    async make(key, { uses, life }) {
      const { room, me } = await enterRoom(groups, key);
      assertRunsOpen(room, me);
      const { groupId, userId: makerId } = key;
      const link = { kind, page: "/user/join", makerId, uses, life: life * 1000, prefix: prefixOf(groupId) } as const;
      return await makeLink(deps, { ...link, data: { groupId } });
    },
    async page(key, { after, limit }) {
      await enterToRun(deps, key);
      const prefix = prefixOf(key.groupId);
      const links = await accounts.listLinks({ kind, after: after.startsWith(prefix) ? after : prefix, limit });
      return links.filter(({ linkId }) => linkId.startsWith(prefix));
    },
    async revoke(key, linkId) {
      await enterToRun(deps, key);
      const isOfRoom = linkId.startsWith(prefixOf(key.groupId));
      const revoked = isOfRoom ? await accounts.revokeLink({ linkId, kind, now: telex.clock.now() }) : null;
      if (revoked === null) throw new TelexError("not_found");
      telex.security.note("link.revoked", { by: key.userId, linkId });
    },
  };
}

async function assertOpens({ storage }: AuthDeps, { makerId }: LinkRecord, room: Room | null): Promise<Room> {
  const maker = makerId === null ? null : (room?.members.get(makerId) ?? null);
  const user = maker === null ? null : await storage.users.findUser(maker.userId);
  if (room === null || maker === null || !runs(maker) || user === null || isSuspended(user))
    throw new TelexError("link_ended");
  if (room.group.archived) throw new TelexError("archived");
  return room;
}

function createUse(deps: AuthDeps): Pick<RoomLinks, "look" | "join"> {
  const { telex, storage } = deps;
  const { accounts, groups } = storage;
  const useOf = (secret: string): LinkUse => ({ digest: readLink(secret), kind, now: telex.clock.now() });
  const open = async (use: LinkUse): Promise<Room | null> => {
    const link = await accounts.findLink(use);
    if (link === null) return null;
    const { groupId } = linkData.parse(JSON.parse(link.data));
    return await assertOpens(deps, link, await groups.findRoom(groupId));
  };
  const joining =
    (link: LinkRecord, userId: number) =>
    async (room: Room): Promise<Decision | null> => {
      await assertOpens(deps, link, room);
      if (room.members.has(userId)) return null;
      const put = [newMember(userId, telex.clock.now())];
      return { change: {}, put, drop: [], notices: [{ kind: "joined" }] };
    };
  return {
    look: async (secret) => await open(useOf(secret)),
    async join(secret, userId) {
      const use = useOf(secret);
      const room = await open(use);
      if (room === null) throw new TelexError("link_ended");
      const { groupId } = room.group;
      if (room.members.has(userId)) return groupId;
      await assertCanBeAdded(deps, null, [userId], false);
      const link = await accounts.consumeLink(use);
      if (link === null) throw new TelexError("link_ended");
      await changeRoomAs({ telex, groups }, { groupId, userId }, joining(link, userId));
      return groupId;
    },
  };
}

/** The links of rooms. A link opens its room only while its maker runs the room. */
export const createRoomLinks = (deps: AuthDeps): RoomLinks => ({ ...createCare(deps), ...createUse(deps) });
