import type { DeviceModels } from "../teleprinter/answering.ts";
import { askWithTurns } from "./complete.ts";
import { turnsOf } from "./context.ts";
import { chooseModel, type ReplyDependencies } from "./reply.ts";

/** The models as devices talk to them: under the quota of their owners, with what is on the paper as the turns before. */
export const createDeviceModels = (deps: ReplyDependencies): DeviceModels => ({
  assert: (model) => void chooseModel(deps, model, null),
  async *answer(owner, model, said) {
    const content = said.at(-1)?.content ?? "";
    const turns = turnsOf(said.slice(0, -1));
    const events = await askWithTurns(deps, owner, { model, turns, content }, new AbortController().signal);
    for await (const event of events) if (event.kind === "delta") yield event.delta;
  },
});
