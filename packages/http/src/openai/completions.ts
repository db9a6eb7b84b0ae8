import { aiContract } from "@telex/core/contract";
import { createChatAnswer } from "./answer.ts";
import { callAs, createStop, whileTokenLasts } from "./call.ts";
import { theirPath } from "./fields.ts";
import { createEndpoint, type Endpoint } from "../server/operations.ts";
import { openAiRefuser } from "./refuser.ts";
import { readCompletionRequest } from "./request.ts";
import { type Answer, writeAnswer } from "./streamed.ts";
import type { HttpTelex } from "../limits.ts";

/** `POST /v1/chat/completions`. */
export function createCompletions(telex: HttpTelex): Endpoint {
  return createEndpoint({
    name: "ai.complete",
    operation: aiContract.complete,
    route: {
      method: "POST",
      path: "/v1/chat/completions",
      token: "header",
      input: "json",
      response: "envelope",
      limit: "promptSize",
    },
    refuser: openAiRefuser,
    async call(caller, body, context): Promise<Answer> {
      const { input, ...kind } = readCompletionRequest(body);
      const { signal, abort } = createStop(context.signal);
      const events = await callAs(telex, "ai.complete", { caller, input, signal }, theirPath);
      const [first] = await telex.ai.models(caller, {});
      const { model = first?.model } = input;
      const lasting = whileTokenLasts(telex, caller, events, abort);
      const completion = { model: typeof model === "string" ? model : "", events: lasting, ...kind, abort };
      return createChatAnswer(completion, telex.clock.now());
    },
    write: (answer, { refuse }) => writeAnswer(answer, telex, "ai.complete", refuse),
  });
}
