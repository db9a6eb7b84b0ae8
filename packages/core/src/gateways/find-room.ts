import type { GroupType } from "../contract/group-type.ts";
import type { Rooms } from "../groups/rooms.ts";
import type { Room } from "../records/groups.ts";
import type { GroupStore } from "../groups/store.ts";
import type { Clock } from "../time/clock.ts";
import type { GatewayAccount } from "../networks/gateway.ts";
import type { CheckedMessage } from "../networks/incoming.ts";

/** What finding and adding chat rooms needs. */
export interface FindRoomDeps {
  readonly groups: Pick<GroupStore, "appendGroupOnce" | "findGroupByExt" | "listGroups">;
  readonly rooms: Pick<Rooms, "find">;
  readonly clock: Clock;
  readonly unknownRooms: "ignore" | "create";
}

type Place = Pick<CheckedMessage, "room">;

/** A type of chat rooms, and the bot that rooms of this type have. */
interface Kind {
  readonly groupType: GroupType;
  readonly bot: string | null;
}

/** The chat rooms that may stand for a room of the network: the official account's own before those of private bots. */
function kindsOf({ account, groupTypes }: GatewayAccount, kind: Place["room"]["kind"]): readonly Kind[] {
  const [official, personal]: readonly [GroupType, GroupType] = kind === "group" ? [0, 4] : [3, 5];
  const kinds = [
    { groupType: official, bot: null },
    { groupType: personal, bot: account },
  ];
  return kinds.filter(({ groupType }) => groupTypes.includes(groupType));
}

/** The chat room that stands for a room of the network, or null. */
export async function findRoom(
  { groups, rooms }: FindRoomDeps,
  account: GatewayAccount,
  { room: { kind, ext } }: Place,
): Promise<Room | null> {
  for (const one of kindsOf(account, kind)) {
    const group = await groups.findGroupByExt({ ext, ...one });
    if (group !== null) return rooms.find(group.groupId);
  }
  return null;
}

/** The longest name of a chat room, in code points. */
const longestName = 64;

function nameOf({ room: { kind, ext }, roomName, sender, isOwn }: CheckedMessage): string {
  const person = kind === "private" && !isOwn ? sender.name : "";
  return [...(roomName || person || ext)].slice(0, longestName).join("");
}

/** Adds a chat room without members for the room of a message. Null if that is not wanted, or if the account serves no such rooms. */
export async function addRoom(
  { groups, rooms, clock, unknownRooms }: FindRoomDeps,
  account: GatewayAccount,
  message: CheckedMessage,
): Promise<Room | null> {
  const [kind] = kindsOf(account, message.room.kind);
  if (unknownRooms === "ignore" || kind === undefined) return null;
  const group = { ...kind, name: nameOf(message), ext: message.room.ext, avatar: null, createdAt: clock.now() };
  // Another server may receive from this room simultaneously.
  return rooms.find((await groups.appendGroupOnce(group)).groupId);
}
