import { networkTypes } from "@telex/ground/contract";
import type { Clock } from "@telex/ground/time";
import type { Rooms } from "../../groups/rooms.ts";
import type { Room } from "../../records/groups.ts";
import type { GroupKey, GroupStore } from "../../groups/store.ts";
import type { GatewayAccount } from "../../networks/gateway.ts";
import type { CheckedMessage } from "../../networks/incoming.ts";
import type { FindOtherKeys } from "../operator/one-room.ts";

export interface FindRoomDeps {
  readonly groups: Pick<GroupStore, "appendGroupOnce" | "findGroupByExt" | "listGroups">;
  readonly rooms: Pick<Rooms, "find">;
  readonly clock: Clock;
  readonly unknownRooms: "ignore" | "create";
  readonly findOtherKeys: FindOtherKeys;
}

type Received = Pick<CheckedMessage, "room">;

/** The keys under which the chat room of a network's room may be stored. A new chat room gets the first one. */
function keysOf({ account, groupTypes }: GatewayAccount, { room: { kind, ext } }: Received): readonly GroupKey[] {
  const keys = [
    { ext, groupType: networkTypes[kind].official, bot: null },
    { ext, groupType: networkTypes[kind].private, bot: account },
  ];
  return keys.filter(({ groupType }) => groupTypes.includes(groupType));
}

/**
 * The chat room that stands for a room of the network, or null. If there are several, it is the first one, whatever its type: a room
 * that is added later never takes the messages of another.
 */
export async function findRoom(
  { groups, rooms }: FindRoomDeps,
  account: GatewayAccount,
  received: Received,
): Promise<Room | null> {
  const matches = await Promise.all(keysOf(account, received).map((key) => groups.findGroupByExt(key)));
  const [first] = matches.filter((group) => group !== null).toSorted((a, b) => a.groupId - b.groupId);
  return first === undefined ? null : rooms.find(first.groupId);
}

const longestName = 64;

function nameOf({ room: { kind, ext }, roomName, sender, isOwn }: CheckedMessage): string {
  const person = kind === "private" && !isOwn ? sender.name : "";
  return [...(roomName || person || ext)].slice(0, longestName).join("");
}

/** Adds a chat room without members for the room of a message. Null if that is not wanted, or if the account serves no such rooms. */
export async function addRoom(
  { groups, rooms, clock, unknownRooms, findOtherKeys }: FindRoomDeps,
  account: GatewayAccount,
  message: CheckedMessage,
): Promise<Room | null> {
  const [key] = keysOf(account, message);
  if (unknownRooms === "ignore" || key === undefined) return null;
  const room = { ...key, name: nameOf(message), avatar: null, createdAt: clock.now() };
  // Another server may receive from this room simultaneously, and the operator may add one.
  const { group } = await groups.appendGroupOnce(room, [], await findOtherKeys(key));
  return rooms.find(group.groupId);
}
