import type { Implementation } from "../contract/operation.ts";
import type { GatewaySends } from "../gateways/send.ts";
import { routeOf } from "../groups/group-type.ts";
import type { Room, Rooms } from "../groups/rooms.ts";
import type { GroupRecord, MemberRecord } from "../groups/store.ts";
import type { Pinyin } from "../messages/pinyin.ts";
import type { MessageStore, RoomReading } from "../messages/store.ts";
import type { ViewMessage } from "../messages/view.ts";
import { avatarPath, groupAvatarPath } from "../users/avatar-path.ts";
import type { UserRecord } from "../users/store.ts";
import { pageByActivity } from "./activity.ts";
import type { MemberView, RoomsContract, RoomView } from "./contract.ts";
import { type createMarkerNews, readingView } from "./markers.ts";

/** What the rooms of a user need. */
interface RoomsDeps {
  readonly store: Pick<MessageStore, "findNewest" | "findReadings" | "markRead">;
  readonly listGroupsOf: (userId: number) => Promise<readonly number[]>;
  readonly rooms: Rooms;
  readonly findUser: (userId: number) => Promise<UserRecord | null>;
  readonly gateways: Pick<GatewaySends, "stateOf">;
  readonly pinyin: Pinyin;
  readonly view: ViewMessage;
  readonly isOnline: (userId: number) => boolean;
  readonly markers: Pick<ReturnType<typeof createMarkerNews>, "tell">;
}

type RoomDeps = Pick<RoomsDeps, "gateways" | "pinyin" | "view">;

const botOf = ({ gateways }: RoomDeps, group: GroupRecord): RoomView["bot"] =>
  routeOf(group.groupType) === "store" ? null : gateways.stateOf(group);

const roomView = (deps: RoomDeps, { group, members }: Room, reading: RoomReading): RoomView => ({
  groupId: group.groupId,
  groupType: group.groupType,
  groupName: group.name,
  groupNamePinyin: deps.pinyin.groupName(group.name),
  avatar: groupAvatarPath(group.groupId),
  memberCount: members.size,
  ...readingView(reading),
  lastMessage: reading.newest === null ? null : deps.view(reading.newest, group),
  bot: botOf(deps, group),
});

const nothingRead: RoomReading = { readUpTo: 0, unread: 0, newest: null };

/** These rooms as a member sees them. One that the user has just left, or that was removed, is left out. */
async function viewsOf(deps: RoomsDeps, userId: number, groupIds: readonly number[]): Promise<RoomView[]> {
  const readings = await deps.store.findReadings(userId, groupIds);
  const views: RoomView[] = [];
  for (const groupId of groupIds) {
    const room = await deps.rooms.find(groupId);
    if (room?.members.has(userId) === true) views.push(roomView(deps, room, readings.get(groupId) ?? nothingRead));
  }
  return views;
}

async function memberView(deps: RoomsDeps, { userId, card }: MemberRecord): Promise<MemberView> {
  const user = await deps.findUser(userId);
  const nickname = user?.nickname ?? "";
  return {
    userId: String(userId),
    ext: user?.ext ?? "",
    nickname,
    nicknamePinyin: deps.pinyin.nickname(nickname),
    card,
    avatar: avatarPath(userId),
    online: deps.isOnline(userId),
  };
}

/** Rooms of users, their members, and read markers. */
export function createRoomsService(deps: RoomsDeps): Implementation<RoomsContract> {
  return {
    async list({ userId }, { cursor, pageSize }) {
      const own = await deps.listGroupsOf(userId);
      const { groupIds, nextCursor } = await pageByActivity(deps.store, { groupIds: own, cursor, pageSize });
      return { list: await viewsOf(deps, userId, groupIds), nextCursor };
    },
    async find({ userId }, { groupId }) {
      const room = await deps.rooms.enter({ groupId, userId });
      const readings = await deps.store.findReadings(userId, [groupId]);
      return roomView(deps, room, readings.get(groupId) ?? nothingRead);
    },
    async members({ userId }, { groupId, cursor = 0, pageSize }) {
      const { members } = await deps.rooms.enter({ groupId, userId });
      const rest = [...members.values()].filter((member) => member.userId > cursor);
      const page = rest.slice(0, pageSize);
      return {
        list: await Promise.all(page.map((member) => memberView(deps, member))),
        nextCursor: rest.length > page.length ? String(page.at(-1)?.userId) : null,
      };
    },
    async read({ userId }, { groupId, messageId }) {
      const { group } = await deps.rooms.enter({ groupId, userId });
      const { moved, ...reading } = await deps.store.markRead({ groupId, userId, upTo: messageId });
      if (moved) deps.markers.tell(group, userId, reading);
      return readingView(reading);
    },
  };
}
