import { routeOf, type CallContext, type TokenHolder } from "@telex/ground/contract";
import type { GroupStore } from "../../groups/store.ts";
import type { GroupRecord } from "../../records/groups.ts";
import type { BotChange } from "../store.ts";
import { pagesOfGroups } from "../all-groups.ts";
import type { BotRecord } from "../../records/gateways.ts";

export interface AnnounceDeps {
  readonly groups: Pick<GroupStore, "listGroups">;
  /** Posts a notice in a room, as this user, that an admin changes the account of the room. Resolves when it is durable. */
  readonly announce: (groupId: number, userId: number) => Promise<void>;
  /** Checks that a token is still valid. */
  readonly assertCurrent: (holder: TokenHolder) => void;
}

/** Rooms that are read together, and whose notices are stored together. */
const roomsOfPage = 100;

/** The fields of an account that decide who is connected to rooms. */
type Connected = Pick<BotRecord, "account" | "official" | "digest" | "connect">;

/** True if another program may be connected to the rooms of an account after a change. */
export const changesConnection = (
  before: Connected,
  { digest = before.digest, official = before.official, connect = before.connect }: BotChange,
): boolean => digest !== before.digest || official !== before.official || connect !== before.connect;

/** True for a room that this account connects to its network. */
function isConnected({ groupType, bot }: GroupRecord, account: string, isOfficial: boolean): boolean {
  const route = routeOf(groupType);
  return route === "private" ? bot === account : route === "official" && isOfficial;
}

/**
 * Posts a notice in each room of an account that an admin changes it. Call it before the change: a program that connects afterwards may read the
 * rooms. A crash in between leaves notices of a change that was not made. The notices go out a page of rooms at a time, and each room is
 * charged like a call.
 * @throws TelexError `invalid_token` if the token of the admin has ended
 */
export async function announceChange(
  { groups, announce, assertCurrent }: AnnounceDeps,
  admin: TokenHolder,
  { account, official }: Pick<Connected, "account" | "official">,
  context: CallContext,
): Promise<void> {
  for await (const page of pagesOfGroups(groups, roomsOfPage)) {
    const rooms = page.filter((group) => isConnected(group, account, official));
    await Promise.all(rooms.map(({ groupId }) => announce(groupId, admin.userId)));
    context.charge?.(rooms.length);
  }
  assertCurrent(admin);
}
