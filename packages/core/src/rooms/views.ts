import { groupTypes, routeOf, avatarPath, extAvatarPath, groupAvatarPath } from "@telex/ground/contract";
import type { NetworkMember } from "../networks/gateway.ts";
import type { ListNetworkMembers } from "../gateways/accounts/members.ts";
import type { GatewaySends } from "../networks/sending.ts";
import type { Rooms } from "../groups/rooms.ts";
import type { GroupRecord, MemberRecord, Room } from "../records/groups.ts";
import type { MessageStore, RoomReading } from "../messages/store.ts";
import type { ShowMessage } from "../messages/view.ts";
import type { UserRecord } from "../records/users.ts";
import type { MemberView, RoomView } from "./contract.ts";
import { type createMarkerNews, readingView } from "./markers.ts";

export interface RoomsDeps {
  readonly store: Pick<MessageStore, "findNewest" | "findReadings" | "markRead" | "countMentions">;
  readonly listGroupsOf: (userId: number) => Promise<readonly number[]>;
  readonly listArchivedOf: (userId: number) => Promise<readonly number[]>;
  readonly rooms: Rooms;
  readonly findUser: (userId: number) => Promise<UserRecord | null>;
  readonly gateways: Pick<GatewaySends, "stateOf">;
  readonly networkMembers: ListNetworkMembers;
  readonly pinyin: { readonly groupName: (name: string) => string; readonly nickname: (name: string) => string };
  readonly show: ShowMessage;
  readonly isOnline: (userId: number) => boolean;
  readonly markers: Pick<ReturnType<typeof createMarkerNews>, "tell">;
}

type RoomDeps = Pick<RoomsDeps, "gateways" | "pinyin" | "show" | "findUser">;

const botOf = async ({ gateways }: RoomDeps, group: GroupRecord): Promise<RoomView["bot"]> =>
  routeOf(group.groupType) === "store" ? null : gateways.stateOf(group);

/** A private chat that people have made has the name and the picture of the other one, for each of the two. */
async function faceFor({ findUser }: RoomDeps, { group, members }: Room, userId: number) {
  const other = group.uniqueKey?.startsWith("pair/") === true ? members.keys().find((id) => id !== userId) : undefined;
  if (other === undefined) return { groupName: group.name, avatar: groupAvatarPath(group.groupId) };
  return { groupName: (await findUser(other))?.nickname ?? group.name, avatar: avatarPath(other) };
}

async function ownFields(deps: RoomDeps, room: Room, userId: number) {
  const { groupName, avatar } = await faceFor(deps, room, userId);
  const { role = "member", archived = false, notify = "default", mutedUntil = 0 } = room.members.get(userId) ?? {};
  return {
    notify,
    mutedUntil,
    groupName,
    avatar,
    groupNamePinyin: deps.pinyin.groupName(groupName),
    role,
    archived: archived || room.group.archived,
  };
}

const privateTypes: readonly number[] = [
  groupTypes.HOME_PRIVATE_CHAT,
  groupTypes.HOME_EXT_PRIVATE_CHAT,
  groupTypes.SELF_EXT_PRIVATE_CHAT,
];

/** A room as this member sees it. */
export const roomView = async (
  deps: RoomDeps,
  room: Room,
  userId: number,
  reading: RoomReading & { readonly mentions: number },
  { group, members } = room,
): Promise<RoomView> => ({
  groupId: group.groupId,
  groupType: group.groupType,
  topic: group.topic,
  ...(await ownFields(deps, room, userId)),
  memberCount: members.size,
  ...readingView(reading),
  mentions: privateTypes.includes(group.groupType) ? readingView(reading).unread : reading.mentions,
  lastMessage: reading.newest === null ? null : await deps.show(reading.newest, group, true),
  bot: await botOf(deps, group),
});

const nothingRead: RoomReading = { readUpTo: 0, unread: 0, newest: null };

/** The reading positions of a user in these rooms, and the number of unread messages that mention the user. */
export async function readingsOf({ store }: Pick<RoomsDeps, "store">, userId: number, groupIds: readonly number[]) {
  const readings = await store.findReadings(userId, groupIds);
  const unread = groupIds.filter((groupId) => (readings.get(groupId)?.unread ?? 0) > 0);
  const mentions = await store.countMentions(userId, unread);
  return (groupId: number) => ({
    ...(readings.get(groupId) ?? nothingRead),
    mentions: mentions.get(groupId) ?? 0,
  });
}

/** These rooms as a member sees them. One that the user has just left, or that was removed, is left out. */
export async function viewsOf(deps: RoomsDeps, userId: number, groupIds: readonly number[]): Promise<RoomView[]> {
  const reading = await readingsOf(deps, userId, groupIds);
  const views: RoomView[] = [];
  for (const groupId of groupIds) {
    const room = await deps.rooms.find(groupId);
    if (room?.members.has(userId) === true) views.push(await roomView(deps, room, userId, reading(groupId)));
  }
  return views;
}

export async function memberView(deps: RoomsDeps, { userId, card, role }: MemberRecord): Promise<MemberView> {
  const user = await deps.findUser(userId);
  const nickname = user?.nickname ?? "";
  return {
    userId: String(userId),
    ext: user?.ext ?? "",
    nickname,
    nicknamePinyin: deps.pinyin.nickname(nickname),
    card,
    avatar: avatarPath(userId),
    role,
    online: deps.isOnline(userId),
  };
}

export const networkMemberView = (
  { pinyin }: Pick<RoomsDeps, "pinyin">,
  { ext, nickname, card }: NetworkMember,
): MemberView => ({
  userId: null,
  ext,
  nickname,
  nicknamePinyin: pinyin.nickname(nickname),
  card,
  avatar: extAvatarPath(ext),
  role: "member",
  online: false,
});
