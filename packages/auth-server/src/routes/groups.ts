import { TelexError, type TokenHolder } from "@telex/core";
import type { GroupsContract } from "../contract/groups.ts";
import type { Runs } from "../contract/routes-of.ts";
import { changeRoom, changeRoomAs } from "../groups/change-room.ts";
import { assertCanBeAdded, createRoom, openPrivate } from "../groups/rooms.ts";
import {
  amending,
  archiving,
  changingMembers,
  type Decide,
  leaving,
  removing,
  settlingOwners,
} from "../groups/rules.ts";
import type { AuthDeps } from "../options.ts";
import type { Services } from "../services.ts";
import { createGroupLinkRuns } from "./group-links.ts";
import { createPeopleRuns } from "./people.ts";

/** The operations on rooms that people run. */
export function createGroupsRuns(
  deps: AuthDeps,
  { roomLinks, hooks }: Pick<Services, "roomLinks" | "hooks">,
): Runs<GroupsContract> {
  const { telex, storage } = deps;
  const findUser = async (userId: number) => await storage.users.findUser(userId);
  const changing = { telex, groups: storage.groups };
  const change = async ({ userId }: TokenHolder, groupId: number, decide: Decide) => {
    await changeRoom(changing, { groupId, userId }, decide);
    return null;
  };
  /** Changes the members of a room, and then its owner, if the one who stays was suspended at the same time. */
  const changeMembers = async ({ userId }: TokenHolder, groupId: number, decide: Decide) => {
    await changeRoom(changing, { groupId, userId }, decide);
    await changeRoomAs(changing, { groupId, userId }, settlingOwners(findUser)).catch((error: unknown) => {
      // The room was removed with its last member.
      if (!TelexError.is(error) || error.code !== "group_not_found") throw error;
    });
    return null;
  };
  const changeAndShow = async (caller: TokenHolder, groupId: number, decide: Decide) => {
    await change(caller, groupId, decide);
    return await telex.rooms.find(caller, { groupId });
  };
  return {
    async create(caller, { userId: other, name, ...input }) {
      if (other === undefined && name === undefined)
        throw new TelexError("invalid_request", { issues: [{ path: "name", problem: "required", params: {} }] });
      const groupId =
        other === undefined
          ? await createRoom(deps, caller, { ...input, name: name ?? "" })
          : await openPrivate(deps, caller.userId, other);
      return await telex.rooms.find(caller, { groupId });
    },
    amend: async (caller, { groupId, ...input }) => await changeAndShow(caller, groupId, amending(input)),
    async amendMembers(caller, { groupId, ...input }) {
      // Only members may learn who exists.
      await telex.rooms.find(caller, { groupId });
      await assertCanBeAdded(deps, caller.userId, input.add);
      await changeMembers(caller, groupId, changingMembers(input, telex.clock.now(), findUser));
      return await telex.rooms.find(caller, { groupId });
    },
    leave: async (caller, { groupId }) => await changeMembers(caller, groupId, leaving(findUser)),
    archive: async (caller, { groupId }) => await changeAndShow(caller, groupId, archiving(true)),
    unarchive: async (caller, { groupId }) => await changeAndShow(caller, groupId, archiving(false)),
    remove: async (caller, { groupId }) => await change(caller, groupId, removing),
    ...createGroupLinkRuns(deps, roomLinks),
    ...createPeopleRuns(deps, hooks),
  };
}
