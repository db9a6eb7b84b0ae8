import { addPrompt, changePrompt, listPrompts, removePrompt } from "../accounts/prompts.ts";
import type { PromptContract } from "../contract/prompts.ts";
import type { Runs } from "../contract/routes-of.ts";
import type { RouteParts } from "./parts.ts";

/** The operations on prompts. */
export const createPromptRuns = (deps: Pick<RouteParts, "storage">): Runs<PromptContract> => ({
  prompts: async ({ userId }) => ({ list: [...(await listPrompts(deps, userId))] }),
  addPrompt: async ({ userId }, input) => await addPrompt(deps, userId, input),
  changePrompt: async ({ userId }, input) => await changePrompt(deps, userId, input),
  async removePrompt({ userId }, { id }) {
    await removePrompt(deps, userId, id);
    return null;
  },
});
