import { operator, TelexError } from "@telex/core";
import { list } from "@telex/core/contract";
import type { LinkRecord, LinkUse } from "@telex/core/storage";
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
  /** Looks at one without using it. Throws `link_ended`. */
  readonly find: (use: LinkUse) => Promise<Invited>;
  /** Makes a user a member of the rooms of a used invitation. */
  readonly enter: (link: LinkRecord, userId: number) => Promise<void>;
}

/** Who may add members to any room, and so invite: the operator and active admins. */
async function mayInvite({ storage }: AuthDeps, makerId: number | null): Promise<boolean> {
  if (makerId === null) return true;
  const [account, user] = await Promise.all([
    storage.accounts.findAccount({ userId: makerId }),
    storage.users.findUser(makerId),
  ]);
  return account?.role === "admin" && user !== null && !isSuspended(user);
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
    async find(use) {
      const link = await storage.accounts.findLink(use);
      if (link === null || !(await mayInvite(deps, link.makerId))) throw new TelexError("link_ended");
      const { nickname, groups } = invitationData.parse(JSON.parse(link.data));
      const maker = link.makerId === null ? null : await storage.users.findUser(link.makerId);
      const rooms = await roomsOf(deps, groups);
      const by = maker === null ? null : { userId: maker.userId, nickname: maker.nickname };
      return { nickname: nickname ?? undefined, by, groups: rooms, until: link.until };
    },
    async enter(link, userId) {
      // Asked again: the maker may have been suspended since the invitation was looked at.
      if (!(await mayInvite(deps, link.makerId))) return;
      const { groups } = invitationData.parse(JSON.parse(link.data));
      for (const { groupId } of await roomsOf(deps, groups))
        await telex.operator.groups.amendMembers(operator, { groupId, add: [userId] });
    },
  };
}
