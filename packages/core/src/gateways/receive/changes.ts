import { networkIdOf } from "../../networks/ids.ts";
import type { CheckedRecall } from "../../networks/incoming.ts";
import type { GatewayAccount } from "../../networks/gateway.ts";
import type { Room } from "../../records/groups.ts";
import type { MessageRecord } from "../../records/messages.ts";
import type { NetworkMessageStore } from "../message-store.ts";
import { findRoom, type FindRoomDeps } from "./find-room.ts";
import type { WaitForSends } from "./send-wait.ts";

interface StoreDeps {
  readonly store: Pick<NetworkMessageStore, "findNetworkMessage">;
}

interface ChangeDeps extends FindRoomDeps, StoreDeps {
  readonly waitForSends: WaitForSends;
}

/** The message of a room with an id of the network. An id that means "no id" matches none. */
export async function findByNetworkId(
  { store }: StoreDeps,
  {
    account,
    groupId,
    messageId,
  }: { readonly account: string; readonly groupId: number; readonly messageId: string | null },
): Promise<MessageRecord | null> {
  const id = networkIdOf(messageId);
  return id === null ? null : store.findNetworkMessage({ account, groupId, messageId: id });
}

/** The message with an id of the network: also one that the network has just taken, and that is not stored yet. */
async function findChanged(
  deps: ChangeDeps,
  groupId: number,
  { account, messageId }: Pick<CheckedRecall, "account" | "messageId">,
): Promise<MessageRecord | null> {
  const existing = await findByNetworkId(deps, { account, groupId, messageId });
  if (existing !== null || messageId === null) return existing;
  await deps.waitForSends({ account, groupId });
  return findByNetworkId(deps, { account, groupId, messageId });
}

/** Applies a change of the network to a message of a room. */
export async function takeChange<Given extends CheckedRecall, Outcome extends string>(
  deps: ChangeDeps,
  account: GatewayAccount,
  change: Given,
  apply: (room: Room, message: MessageRecord, given: Given) => Promise<Outcome>,
) {
  const room = await findRoom(deps, account, change);
  if (room === null) return { outcome: "unknown_room" } as const;
  const { groupId } = room.group;
  const message = await findChanged(deps, groupId, { account: account.account, messageId: change.messageId });
  if (message === null) return { outcome: "unknown_message" } as const;
  return { outcome: await apply(room, message, change), groupId, messageId: message.id };
}
