import type { Implementation } from "@telex/ground/contract";
import { pageByActivity } from "./activity.ts";
import type { RoomsContract } from "./contract.ts";
import { readingView } from "./markers.ts";
import { pageOfMembers } from "./members.ts";
import { readingsOf, type RoomsDeps, roomView, viewsOf } from "./views.ts";

export const createRoomsService = (deps: RoomsDeps): Implementation<RoomsContract> => ({
  async list({ userId }, { cursor, pageSize }) {
    const [own, archived] = [await deps.listGroupsOf(userId), await deps.listArchivedOf(userId)];
    const { groupIds, nextCursor } = await pageByActivity(deps.store, { groupIds: own, archived, cursor, pageSize });
    return { list: await viewsOf(deps, userId, groupIds), nextCursor };
  },
  async find({ userId }, { groupId }) {
    const room = await deps.rooms.enter({ groupId, userId });
    const reading = await readingsOf(deps, userId, [groupId]);
    return roomView(deps, room, userId, reading(groupId));
  },
  async members({ userId }, input) {
    return pageOfMembers(deps, await deps.rooms.enter({ groupId: input.groupId, userId }), input);
  },
  async read({ userId }, { groupId, messageId }) {
    const { group } = await deps.rooms.enter({ groupId, userId });
    const { moved, ...reading } = await deps.store.markRead({ groupId, userId, upTo: messageId });
    if (moved) deps.markers.tell(group, userId, reading);
    return readingView(reading);
  },
});
