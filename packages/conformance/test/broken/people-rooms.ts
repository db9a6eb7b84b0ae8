import type { GroupRecord } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

/** Wrong stores of rooms of people. */
export const brokenPeopleRooms: readonly BrokenStorage[] = [
  {
    fault: "a room is changed, however it was found",
    found: [
      "groups: a room that has changed since it was found is not changed",
      "groups: of 20 who have found the same room one changes it",
    ],
    spoil: override("groups", (store) => ({
      async amendRoom(asked) {
        const room = await store.findRoom(asked.groupId);
        return store.amendRoom({ ...asked, rev: room?.group.rev ?? 0 });
      },
    })),
  },
  {
    fault: "a room and its members change in two steps",
    found: ["groups: of members who come simultaneously none is lost"],
    spoil: override("groups", (store) => ({
      async amendRoom(asked) {
        const { groupId, put } = asked;
        const amended = await store.amendRoom({ ...asked, put: [] });
        await meanwhile();
        const room = amended.outcome === "amended" ? await store.findRoom(groupId) : null;
        if (room !== null) await store.amendRoom({ ...asked, rev: room.group.rev - 1, change: {}, put });
        return amended;
      },
    })),
  },
  {
    fault: "a room is looked for by its key, then added",
    found: ["groups: a key has one room from 20 that add one simultaneously"],
    spoil: override("groups", (store) => {
      const keyed = new Map<string, GroupRecord>();
      return {
        async appendRoom(group, members) {
          const { uniqueKey = null } = group;
          const known = keyed.get(uniqueKey ?? "");
          await meanwhile();
          if (known !== undefined) return { outcome: "known", group: known };
          const { group: added } = await store.appendRoom({ ...group, uniqueKey: null }, members);
          if (uniqueKey !== null) keyed.set(uniqueKey, added);
          return { outcome: "appended", group: added };
        },
      };
    }),
  },
  {
    fault: "rooms that a member has put away count as open",
    found: ["groups: archived rooms, and rooms that a member has put away, are listed for the member, in order"],
    spoil: override("groups", (store) => ({
      async listArchivedOf(userId) {
        const rooms = await Promise.all((await store.listGroupsOf(userId)).map((groupId) => store.findGroup(groupId)));
        return rooms.flatMap((group) => (group?.archived === true ? [group.groupId] : []));
      },
    })),
  },
  {
    fault: "roles are lost",
    found: ["groups: a room is found with its members and their roles, also after a restart"],
    spoil: override("groups", (store) => ({
      appendRoom: (group, members) =>
        store.appendRoom(
          group,
          members.map((member) => ({ ...member, role: "member" })),
        ),
    })),
  },
];
