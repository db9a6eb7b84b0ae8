import { createLru } from "@telex/ground/caches";
import type { TokenHolder } from "@telex/ground/contract";
import { minute, second, type Clock } from "@telex/ground/time";
import type { AccountStore } from "../accounts/store.ts";
import type { Rooms } from "../groups/rooms.ts";
import type { UserRecord } from "../records/users.ts";
import type { RoomsLiveEvent } from "./live-events.ts";

interface TypingDeps {
  readonly rooms: Pick<Rooms, "enter">;
  readonly accounts: Pick<AccountStore, "findAccount">;
  readonly findUser: (userId: number) => Promise<UserRecord | null>;
  readonly clock: Pick<Clock, "now">;
  readonly tell: (groupId: number, event: RoomsLiveEvent, except: number) => void;
}

/** Milliseconds between two events about one user in one room. */
const interval = 3 * second;

/** Users and rooms whose last event is remembered. */
const remembered = 10_000;

/** Milliseconds for which the choice of a receiver is remembered. */
const choiceLife = minute;

/**
 * Knows who shows what they read and type: all users who have not switched it off. Users without an account have no switch.
 * @returns finds the choices of some users, of which some may be a minute old
 */
export function createShown({ accounts, clock }: Pick<TypingDeps, "accounts" | "clock">) {
  const choices = createLru<number, { readonly isShown: boolean; readonly until: number }>(remembered);
  return async (userId: number): Promise<boolean> => {
    const now = clock.now();
    const choice = choices.get(userId);
    if (choice !== undefined && choice.until > now) return choice.isShown;
    const isShown = (await accounts.findAccount({ userId }))?.showRead !== false;
    choices.set(userId, { isShown, until: now + choiceLife });
    return isShown;
  };
}

/** Tells members that another one is typing. Nothing is stored. */
export function createTyping({ rooms, accounts, findUser, clock, tell }: TypingDeps) {
  const last = createLru<string, number>(remembered);
  /** Resolves also if it is too soon after the last event, or if the user does not show it: then members get no event. */
  return async ({ userId }: TokenHolder, { groupId }: { readonly groupId: number }): Promise<null> => {
    const { group } = await rooms.enter({ groupId, userId });
    const key = `${groupId}/${userId}`;
    const now = clock.now();
    if (now - (last.get(key) ?? Number.NEGATIVE_INFINITY) < interval) return null;
    last.set(key, now);
    if ((await accounts.findAccount({ userId }))?.showRead === false) return null;
    const nickname = (await findUser(userId))?.nickname ?? "";
    const data = { groupId, groupType: group.groupType, userId: String(userId), nickname };
    tell(groupId, { kind: "typing", data }, userId);
    return null;
  };
}
