import { operator, TelexError } from "@telex/core";
import { list } from "@telex/core/contract";
import type { Account, LinkRecord, LinkUse } from "@telex/core/storage";
import { z } from "zod";
import type { AuthDeps } from "../options.ts";
import { isSuspended } from "../sessions/suspended.ts";
import { lives } from "../sessions/lives.ts";
import { makeLink, type MadeLink } from "./links.ts";

const invitationData = z.object({ nickname: z.string().nullable(), groups: list(z.int(), 100) });

/** An invitation to make. */
interface NewInvitation {
  readonly nickname?: string | undefined;
  /** The rooms that it opens. */
  readonly groups: readonly number[];
  /** Default 1. */
  readonly uses?: number | undefined;
  /** Seconds. Default 7 days. */
  readonly life?: number | undefined;
}

/** The part of an invitation that a person sees before they use it. */
export interface Invited {
  /** The name that it proposes. */
  readonly nickname: string | undefined;
  /** Its maker; null if the operator made it. */
  readonly by: { readonly userId: number; readonly nickname: string } | null;
  /** The rooms that are entered. */
  readonly groups: readonly { readonly groupId: number; readonly name: string }[];
  /** Unix milliseconds. */
  readonly until: number;
}

/** Invitations: links with which people open an account and enter rooms. */
export interface Invitations {
  /** Makes one. Throws `group_not_found`, `invalid_request` for a room of an external network, `registration_closed`. */
  readonly make: (makerId: number | null, invitation: NewInvitation) => Promise<MadeLink>;
  /** True if the account may invite: as an admin, or as a member into rooms that it runs. */
  readonly canInvite: (account: Pick<Account, "role">) => boolean;
  /** True if members may invite, and the user runs each of the rooms. */
  readonly mayInviteTo: (userId: number, groups: readonly number[]) => Promise<boolean>;
  /** Looks at one without using it. Throws `link_ended`. */
  readonly find: (use: LinkUse) => Promise<Invited>;
  /** Makes a user a member of the rooms of a used invitation. */
  readonly enter: (link: LinkRecord, userId: number) => Promise<void>;
}

/**
 * The rooms into which the maker of an invitation may invite people now: the operator and active admins into all, other people into those
 * that they run, if members may invite.
 */
async function rightOf({ storage, rules }: AuthDeps, makerId: number | null): Promise<"all" | "own" | "none"> {
  if (makerId === null) return "all";
  const [account, user] = await Promise.all([
    storage.accounts.findAccount({ userId: makerId }),
    storage.users.findUser(makerId),
  ]);
  if (account === null || user === null || isSuspended(user)) return "none";
  if (account.role === "admin") return "all";
  return rules.invitations === "members" ? "own" : "none";
}

/** True for an owner or a moderator of the room. */
async function runsRoom({ storage }: AuthDeps, userId: number, groupId: number): Promise<boolean> {
  const role = (await storage.groups.findRoom(groupId))?.members.get(userId)?.role ?? "member";
  return role !== "member";
}

/** The rooms to which the maker may add people now; null if the maker may not invite. */
async function openRooms(deps: AuthDeps, makerId: number | null, groups: readonly number[]) {
  const right = await rightOf(deps, makerId);
  if (right === "none") return null;
  const rooms = await roomsOf(deps, groups);
  if (right === "all" || makerId === null) return rooms;
  const runs = await Promise.all(rooms.map(({ groupId }) => runsRoom(deps, makerId, groupId)));
  const own = rooms.filter((_room, at) => runs[at]);
  return own.length === 0 ? null : own;
}

/** The type of Telex's own chat rooms. The members of private chats and of rooms of external networks are not invited. */
const chatRoom = 1;

async function assertRooms({ storage }: AuthDeps, groups: readonly number[]): Promise<void> {
  for (const groupId of groups) {
    const group = await storage.groups.findGroup(groupId);
    if (group === null) throw new TelexError("group_not_found");
    if (group.groupType === chatRoom) continue;
    throw new TelexError("invalid_request", { issues: [{ path: "groups", problem: "invalid", params: {} }] });
  }
}

async function roomsOf({ storage }: AuthDeps, groups: readonly number[]) {
  const rooms = await Promise.all(groups.map((groupId) => storage.groups.findGroup(groupId)));
  return rooms.flatMap((room) => (room === null ? [] : [{ groupId: room.groupId, name: room.name }]));
}

/** Makes and reads invitations. */
export function createInvitations(deps: AuthDeps): Invitations {
  const { telex, storage, rules } = deps;
  return {
    async make(makerId, { nickname = null, groups, uses = 1, life = lives.invitation / 1000 }) {
      if (rules.registration === "closed") throw new TelexError("registration_closed");
      await assertRooms(deps, groups);
      const link = { kind: "invitation", page: "/user/join", makerId, uses, life: life * 1000 } as const;
      return await makeLink(deps, { ...link, data: { nickname, groups } });
    },
    canInvite: ({ role }) => rules.registration !== "closed" && (role === "admin" || rules.invitations === "members"),
    async mayInviteTo(userId, groups) {
      const open = rules.invitations === "members" ? await openRooms(deps, userId, groups) : null;
      return open?.length === new Set(groups).size;
    },
    async find(use) {
      const link = await storage.accounts.findLink(use);
      if (link === null) throw new TelexError("link_ended");
      const { nickname, groups } = invitationData.parse(JSON.parse(link.data));
      const rooms = await openRooms(deps, link.makerId, groups);
      if (rooms === null) throw new TelexError("link_ended");
      const maker = link.makerId === null ? null : await storage.users.findUser(link.makerId);
      const by = maker === null ? null : { userId: maker.userId, nickname: maker.nickname };
      return { nickname: nickname ?? undefined, by, groups: rooms, until: link.until };
    },
    async enter(link, userId) {
      const { groups } = invitationData.parse(JSON.parse(link.data));
      // Checked again: the maker may have been suspended since the invitation was looked at.
      for (const { groupId } of (await openRooms(deps, link.makerId, groups)) ?? []) {
        await telex.operator.groups.amendMembers(operator, { groupId, add: [userId] });
        await telex.announce({ kind: "joined", groupId, userId });
      }
    },
  };
}
