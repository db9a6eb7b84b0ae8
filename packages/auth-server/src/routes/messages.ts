import { TelexError } from "@telex/core";
import { changeFoundRoom, type MemberRecord, type Room } from "@telex/core/storage";
import type { RoomMessagesContract } from "../contract/messages.ts";
import type { Runs } from "../contract/routes-of.ts";
import { changeRoom } from "../groups/change-room.ts";
import { editing } from "../messages/edit.ts";
import { pinnedIn, pinning } from "../messages/pins.ts";
import { createMissed } from "../messages/missed.ts";
import { createReactions } from "../messages/react.ts";
import { readersOf } from "../messages/readers.ts";
import type { AuthDeps } from "../options.ts";

/** The types of rooms that are stored here. */
const isOurs = (groupType: number): boolean => groupType === 1 || groupType === 2;

/** The caller's row in a room, for changes of what only concerns the caller. */
function ownIn(room: Room, userId: number): MemberRecord {
  const me = room.members.get(userId);
  if (me === undefined) throw new TelexError("group_not_found");
  return me;
}

/** The operations of people on messages of rooms. */
export function createRoomMessagesRuns(deps: AuthDeps): Runs<RoomMessagesContract> {
  const { telex, storage, rules } = deps;
  const findMessage: AuthDeps["storage"]["messages"]["findMessage"] = async (groupId, id) =>
    await storage.messages.findMessage(groupId, id);
  const react = createReactions(deps);
  const roomOf = async (userId: number, groupId: number): Promise<Room> => {
    const room = await storage.groups.findRoom(groupId);
    if (room === null) throw new TelexError("group_not_found");
    ownIn(room, userId);
    return room;
  };
  const missed = createMissed(deps);
  return {
    async missed({ userId }, { groupId, since, model = null }, { signal }) {
      const room = await roomOf(userId, groupId);
      return await missed(room, { userId, since: since === undefined ? null : Number(since), model, signal });
    },
    async edit(caller, { message, ...place }) {
      const { groupType } = await telex.rooms.find(caller, place);
      if (!isOurs(groupType)) throw new TelexError("not_supported", { reason: "network_edit" });
      const { userId } = caller;
      const decide = editing({ userId, now: telex.clock.now(), life: rules.editLife });
      return await telex.amendMessage({ ...place, userId, message, decide });
    },
    async react(caller, input) {
      const { groupType } = await telex.rooms.find(caller, input);
      return await react(caller.userId, input, isOurs(groupType));
    },
    async pin({ userId }, { groupId, messageId, remove }) {
      const changing = { telex, groups: storage.groups };
      await changeRoom(changing, { groupId, userId }, pinning(messageId, remove, findMessage));
      return null;
    },
    async pins({ userId }, { groupId }) {
      const room = await roomOf(userId, groupId);
      const pinned = await pinnedIn(room, findMessage);
      return { list: await Promise.all(pinned.map((message) => telex.viewMessage(message, room.group))) };
    },
    async readers({ userId }, { groupId, messageId, cursor = "0" }) {
      const room = await roomOf(userId, groupId);
      return await readersOf(deps, room, { userId, messageId, after: Number(cursor) });
    },
    async notify({ userId }, { groupId, level, mutedUntil }) {
      let wanted = { notify: level, mutedUntil: mutedUntil ?? 0 };
      await roomOf(userId, groupId);
      const outcome = await changeFoundRoom(storage.groups, groupId, (room) => {
        const me = ownIn(room, userId);
        wanted = { notify: level, mutedUntil: mutedUntil ?? me.mutedUntil };
        const isSame = me.notify === wanted.notify && me.mutedUntil === wanted.mutedUntil;
        return isSame ? null : { change: {}, put: [{ ...me, ...wanted }], drop: [] };
      });
      if (outcome === "amended") await telex.roomChanged(groupId);
      return wanted;
    },
  };
}
