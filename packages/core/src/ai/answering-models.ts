import type { AnsweringModels } from "./answers.ts";
import { stateless } from "./complete.ts";
import type { ToolUse } from "../records/tool-use.ts";
import { chooseModel, prepareQuestion, type ReplyDeps, streamReply } from "./reply.ts";

/** The models for devices and rooms. No conversation is stored. */
export const createAnsweringModels = (deps: ReplyDeps): AnsweringModels => ({
  assert: (model) => void chooseModel(deps, model, null),
  async *answer(asker, model, listen, { signal = new AbortController().signal, hands } = {}) {
    const chosen = chooseModel(deps, model, null);
    const messages = await listen(chosen);
    if (messages === null) return;
    const question = await prepareQuestion(deps, asker, chosen, messages, {}, hands);
    const shape = { ...stateless, toolUse: (use: ToolUse) => hands?.told(use) ?? null };
    for await (const event of streamReply(deps, question, shape, signal)) if (event.kind === "delta") yield event.delta;
  },
});
