import { print, printable, printRows } from "../terminal/output.ts";
import { callAccount } from "./account-calls.ts";
import type { Server } from "./server.ts";

/** The name and the text of a prompt. */
interface Words {
  readonly name: string;
  readonly text: string;
}

/** Prints the prompts that the person keeps. */
export const listPrompts = async (server: Server, json: boolean): Promise<void> =>
  await callAccount(
    server,
    json,
    async ({ prompts }) => await prompts({}),
    ({ list }) => printRows(list, { id: ({ id }) => id, name: ({ name }) => name, text: ({ text }) => text }),
  );

/** @param id the prompt to replace; if omitted, a new one is kept */
export const keepPrompt = async (server: Server, json: boolean, words: Words, id?: string): Promise<void> =>
  await callAccount(
    server,
    json,
    async ({ addPrompt, changePrompt }) => await (id === undefined ? addPrompt(words) : changePrompt({ id, ...words })),
    (prompt) => print(`Kept ${prompt.id}, ${printable(prompt.name)}.`),
  );

export const removePrompt = async (server: Server, json: boolean, id: string): Promise<void> =>
  await callAccount(server, json, async (account) => await account.removePrompt({ id }), "Removed.");
