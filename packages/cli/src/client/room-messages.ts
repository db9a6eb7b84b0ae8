import type { AccountClient } from "@telex/auth-server/client";
import { callAccount } from "./account-calls.ts";
import type { Server } from "./server.ts";

type Messages = AccountClient["messages"];

const calls = async <T>(server: Server, json: boolean, done: string, work: (messages: Messages) => Promise<T>) =>
  await callAccount(server, json, async ({ messages }) => await work(messages), done);

/** A message of a room. */
interface Place {
  readonly groupId: string;
  readonly messageId: string;
}

export const editMessage = async (server: Server, place: Place, message: string, json: boolean): Promise<void> =>
  await calls(server, json, "Edited.", async (messages) => await messages.edit({ ...place, message }));

/** @param remove takes the reaction back */
export const react = async (
  server: Server,
  place: Place,
  { emoji, remove, json }: { readonly emoji: string; readonly remove: boolean; readonly json: boolean },
): Promise<void> =>
  await calls(server, json, remove ? "Taken back." : "Reacted.", async (messages) => {
    return await messages.react({ ...place, emoji, remove });
  });

/** @param remove takes the pin away */
export const pin = async (
  server: Server,
  place: Place,
  { remove, json }: { readonly remove: boolean; readonly json: boolean },
): Promise<void> =>
  await calls(server, json, remove ? "Not pinned any more." : "Pinned.", async (messages) => {
    return await messages.pin({ ...place, remove });
  });

/** @param mute milliseconds for which the room is muted from now; left out: as before */
export const setLevel = async (
  server: Server,
  groupId: string,
  level: "all" | "mentions" | "none" | "default",
  { mute, json }: { readonly mute: number | undefined; readonly json: boolean },
): Promise<void> =>
  await calls(server, json, "Set.", async (messages) => {
    const mutedUntil = mute === undefined || mute === 0 ? mute : Date.now() + mute;
    return await messages.notify({ groupId, level, ...(mutedUntil !== undefined && { mutedUntil }) });
  });
