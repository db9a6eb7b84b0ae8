import type { AccountClient } from "@telex/auth-server/client";
import { print, printable, printableLines } from "../terminal/output.ts";
import { callAccount } from "./account-calls.ts";
import type { Server } from "./server.ts";

type Messages = AccountClient["messages"];

const calls = async <T>(server: Server, json: boolean, done: string, work: (messages: Messages) => Promise<T>) =>
  await callAccount(server, json, async ({ messages }) => await work(messages), done);

/** A message of a room. */
interface MessageKey {
  readonly groupId: string;
  readonly messageId: string;
}

export const editMessage = async (server: Server, key: MessageKey, message: string, json: boolean): Promise<void> =>
  await calls(server, json, "Edited.", async (messages) => await messages.edit({ ...key, message }));

/** @param remove removes the reaction */
export const react = async (
  server: Server,
  key: MessageKey,
  { emoji, remove, json }: { readonly emoji: string; readonly remove: boolean; readonly json: boolean },
): Promise<void> =>
  await calls(server, json, remove ? "Taken back." : "Reacted.", async (messages) => {
    return await messages.react({ ...key, emoji, remove });
  });

/** @param remove unpins the message */
export const pin = async (
  server: Server,
  key: MessageKey,
  { remove, json }: { readonly remove: boolean; readonly json: boolean },
): Promise<void> =>
  await calls(server, json, remove ? "Unpinned." : "Pinned.", async (messages) => {
    return await messages.pin({ ...key, remove });
  });

/** @param mute milliseconds for which the room is muted from now; if omitted, unchanged */
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

type Summary = Awaited<ReturnType<Messages["missed"]>>;

/** Prints a summary, and the numbered addresses of the messages that it cites. */
function printSummary(url: string, groupId: string, { text, model, messages, cut, references }: Summary): void {
  if (messages === 0) return print("You have missed nothing.");
  const numbered = text.replaceAll(/\[#(\d{1,16})\]/g, (_, id: string) => `[${references.indexOf(id) + 1}]`);
  for (const line of printableLines(numbered)) print(line);
  if (references.length > 0) print("");
  for (const [at, id] of references.entries())
    print(`[${at + 1}] ${new URL(`/user/rooms/${groupId}/${id}`, url).href}`);
  const left = cut ? " Older ones did not fit." : "";
  print(`\n${printable(model.nickname)} has read ${messages} ${messages === 1 ? "message" : "messages"}.${left}`);
}

/** Lets a model of a room summarize what the caller has missed, and prints that. */
export async function showMissed(
  server: Server,
  { groupId, ...choice }: { readonly groupId: string; readonly since?: string; readonly model?: string },
  json: boolean,
): Promise<void> {
  const missed = async ({ messages }: AccountClient) => await messages.missed({ groupId, ...choice });
  await callAccount(server, json, missed, (summary) => printSummary(server.url, groupId, summary));
}
