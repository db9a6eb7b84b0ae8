import { randomUUID } from "node:crypto";
import { TelexError } from "@telex/core";
import { z } from "zod";
import { amendRepeatedly } from "./amend-repeatedly.ts";
import type { AuthDeps } from "../options.ts";

/** A prompt as it is stored. */
export const keptPrompt = z.object({ id: z.string(), name: z.string(), text: z.string() });

/** A prompt that a person keeps. */
export interface KeptPrompt extends Readonly<z.output<typeof keptPrompt>> {}

type Deps = Pick<AuthDeps, "storage">;

const keptPrompts = z.array(keptPrompt);

/** Prompts of a person, and UTF-16 units of their names and texts together. An account is read as a whole. */
const most = { prompts: 50, units: 32_000 } as const;

const read = (prompts: string): readonly KeptPrompt[] => keptPrompts.parse(JSON.parse(prompts));

/** @throws TelexError `limit_reached` */
function assertFits(prompts: readonly KeptPrompt[]): void {
  if (prompts.length > most.prompts) throw new TelexError("limit_reached", { params: { max: most.prompts } });
  const units = prompts.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
  if (units > most.units)
    throw new TelexError("limit_reached", { reason: "prompts_too_long", params: { max: most.units } });
}

/** Changes the list of a person. @throws TelexError `not_supported` without an account, `limit_reached`, `busy` */
async function change(
  deps: Deps,
  userId: number,
  changed: (prompts: readonly KeptPrompt[]) => readonly KeptPrompt[],
): Promise<void> {
  const { accounts } = deps.storage;
  if ((await accounts.findAccount({ userId })) === null)
    throw new TelexError("not_supported", { reason: "prompts_need_account" });
  await amendRepeatedly(deps, userId, (account) => {
    const before = read(account.prompts);
    const after = changed(before);
    if (after === before) return null;
    if (after.length >= before.length) assertFits(after);
    return { change: { prompts: JSON.stringify(after) } };
  });
}

/** The prompts that a person keeps, the oldest first; none without an account. */
export async function listPrompts({ storage }: Deps, userId: number): Promise<readonly KeptPrompt[]> {
  const account = await storage.accounts.findAccount({ userId });
  return account === null ? [] : read(account.prompts);
}

/**
 * Keeps a prompt. One with this name and text is not kept twice, so that a repeat changes nothing.
 * @throws TelexError `not_supported` without an account, `limit_reached`, `busy`
 */
export async function addPrompt(
  deps: Deps,
  userId: number,
  { name, text }: Omit<KeptPrompt, "id">,
): Promise<KeptPrompt> {
  let prompt: KeptPrompt = { id: randomUUID(), name, text };
  await change(deps, userId, (prompts) => {
    const same = prompts.find((one) => one.name === name && one.text === text);
    prompt = same ?? prompt;
    return same === undefined ? [...prompts, prompt] : prompts;
  });
  return prompt;
}

/** @throws TelexError `not_found` */
function indexOfPrompt(prompts: readonly KeptPrompt[], id: string): number {
  const place = prompts.findIndex((one) => one.id === id);
  if (place === -1) throw new TelexError("not_found");
  return place;
}

/**
 * Replaces a prompt as a whole: of simultaneous callers, the last one wins.
 * @throws TelexError `not_found`, `not_supported` without an account, `limit_reached`, `busy`
 */
export async function changePrompt(deps: Deps, userId: number, prompt: KeptPrompt): Promise<KeptPrompt> {
  await change(deps, userId, (prompts) => prompts.with(indexOfPrompt(prompts, prompt.id), prompt));
  return prompt;
}

/** @throws TelexError `not_found`, `not_supported` without an account, `busy` */
export const removePrompt = async (deps: Deps, userId: number, id: string): Promise<void> =>
  await change(deps, userId, (prompts) => prompts.toSpliced(indexOfPrompt(prompts, id), 1));
