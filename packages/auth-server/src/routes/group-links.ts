import type { GroupsContract } from "../contract/groups.ts";
import type { Runs } from "../contract/routes-of.ts";
import { viewInvitation, viewMadeLink } from "../accounts/views.ts";
import type { RoomLinks } from "../links/room-links.ts";
import type { AuthDeps } from "../options.ts";

/** The operations on links with which people come into rooms. */
export const createGroupLinkRuns = (
  { telex }: Pick<AuthDeps, "telex">,
  roomLinks: RoomLinks,
): Pick<Runs<GroupsContract>, "link" | "links" | "revokeLink" | "join"> => ({
  async link({ userId }, { groupId, ...link }) {
    const made = await roomLinks.make({ groupId, userId }, link);
    telex.security.note("link.made", { by: userId, linkId: made.id, kind: "room" });
    return viewMadeLink(made);
  },
  async links({ userId }, { groupId, pageSize, cursor = "" }) {
    const rows = await roomLinks.page({ groupId, userId }, { after: cursor, limit: pageSize + 1 });
    const list = rows.slice(0, pageSize).map(viewInvitation);
    return { list, nextCursor: rows.length > pageSize ? (list.at(-1)?.id ?? null) : null };
  },
  async revokeLink({ userId }, { groupId, id }) {
    await roomLinks.revoke({ groupId, userId }, id);
    return null;
  },
  async join(caller, { secret }) {
    const groupId = await roomLinks.join(secret, caller.userId);
    return await telex.rooms.find(caller, { groupId });
  },
});
