import type { AnsweringModels } from "./answers.ts";
import { askWithTurns } from "./complete.ts";
import { turnsOf } from "./context.ts";
import { chooseModel, type ReplyDependencies } from "./reply.ts";

/** The models for devices and rooms. Earlier texts are the turns before; no conversation is stored. */
export const createAnsweringModels = (deps: ReplyDependencies): AnsweringModels => ({
  assert: (model) => void chooseModel(deps, model, null),
  async *answer(asker, model, said) {
    const content = said.at(-1)?.content ?? "";
    const turns = turnsOf(said.slice(0, -1));
    const events = await askWithTurns(deps, asker, { model, turns, content }, new AbortController().signal);
    for await (const event of events) if (event.kind === "delta") yield event.delta;
  },
});
