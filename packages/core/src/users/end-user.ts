import { TelexError } from "@telex/ground/errors";
import type { Clock } from "@telex/ground/time";
import type { AiStore } from "../ai/store.ts";
import type { GroupStore } from "../groups/store.ts";
import type { TeleprinterStore } from "../teleprinter/store.ts";
import type { TokenStore } from "./store.ts";

interface EndUserDeps {
  readonly tokens: TokenStore;
  readonly groups: Pick<GroupStore, "listGroupsOf" | "amendMembers">;
  readonly devices: Pick<TeleprinterStore, "listDevices">;
  readonly conversations: Pick<AiStore, "listConversations" | "dropConversation">;
  readonly clock: Clock;
  /** Makes the end of a token visible immediately in this process. */
  readonly tokenEnded: (tokenId: number) => void;
  /** Makes a change of a room visible in this process. */
  readonly roomChanged: (groupId: number) => Promise<void>;
  /** Leaves the rooms that the user owns, each to an heir. */
  readonly leaveOwnRooms: (userId: number) => Promise<void>;
  /** Frees a device ID: `device_not_found` or `not_owner` when the user does not hold it any more. */
  readonly releaseDevice: (userId: number, deviceId: string) => Promise<void>;
}

/** Tokens and conversations that are read together. */
const chunk = 100;

async function endTokens({ tokens, clock, tokenEnded }: EndUserDeps, userId: number): Promise<void> {
  const behind = (after: number) => tokens.listTokens({ userId, after, limit: chunk });
  for (let page = await behind(0); page.length > 0; page = await behind(page.at(-1)?.tokenId ?? 0)) {
    for (const { tokenId, revokedAt } of page) {
      if (revokedAt !== null) continue;
      await tokens.revokeToken({ tokenId }, clock.now());
      tokenEnded(tokenId);
    }
  }
}

async function leaveRooms({ groups, roomChanged, leaveOwnRooms }: EndUserDeps, userId: number): Promise<void> {
  await leaveOwnRooms(userId);
  for (const groupId of await groups.listGroupsOf(userId)) {
    await groups.amendMembers(groupId, { add: [], remove: [userId] });
    await roomChanged(groupId);
  }
}

async function dropConversations({ conversations }: EndUserDeps, userId: number): Promise<void> {
  const first = () => conversations.listConversations(userId, { offset: 0, limit: chunk });
  for (let { list } = await first(); list.length > 0; { list } = await first()) {
    for (const { id } of list) await conversations.dropConversation({ conversationId: id, userId });
  }
}

/**
 * Ends the tokens of a user, their places in rooms, their devices and their conversations. Each step can be repeated, so
 * that a failure in between needs no transaction over several stores.
 */
export const createEndUser =
  (deps: EndUserDeps) =>
  async (userId: number): Promise<void> => {
    await endTokens(deps, userId);
    await leaveRooms(deps, userId);
    for (const { deviceId } of await deps.devices.listDevices(userId))
      await unlessFree(deps.releaseDevice(userId, deviceId));
    await dropConversations(deps, userId);
  };

async function unlessFree(release: Promise<void>): Promise<void> {
  try {
    await release;
  } catch (error) {
    if (!TelexError.is(error) || !["device_not_found", "not_owner"].includes(error.code)) throw error;
  }
}
