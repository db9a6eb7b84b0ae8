import { defineContract, text } from "@telex/core/contract";
import { z } from "zod";
import { keptPrompt } from "../accounts/prompts.ts";

const id = text(1, 64);
const words = { name: text(1, 64), text: text(1, 4000) } as const;

/** Prompts that people keep, to use them in questions to models. */
export const promptContract = defineContract({
  prompts: {
    summary: "Lists the prompts that one keeps, the oldest first.",
    access: "chat",
    input: z.object({}),
    output: z.object({ list: z.array(keptPrompt) }),
    errors: [],
  },
  addPrompt: {
    summary:
      "Keeps a prompt: at most 50, with 32,000 characters in total. The same name and text are kept once, so that a repeat changes nothing.",
    access: "chat",
    input: z.object(words),
    output: keptPrompt,
    errors: ["not_supported", "user_not_found", "limit_reached", "busy"],
  },
  changePrompt: {
    summary: "Replaces the name and the text of a prompt.",
    access: "chat",
    input: z.object({ id, ...words }),
    output: keptPrompt,
    errors: ["not_supported", "user_not_found", "not_found", "limit_reached", "busy"],
  },
  removePrompt: {
    summary: "Removes a prompt.",
    access: "chat",
    input: z.object({ id }),
    output: z.null(),
    errors: ["not_supported", "user_not_found", "not_found", "busy"],
  },
});

/** Prompts that people keep. */
export type PromptContract = typeof promptContract;
