import { aiContract } from "@telex/core/contract";
import { callAs, createStop, whileTokenLasts } from "./call.ts";
import { createEndpoint, type Endpoint } from "../server/operations.ts";
import { openAiRefuser } from "./refuser.ts";
import { createResponseAnswer } from "./response-answer.ts";
import { readResponseRequest } from "./response-request.ts";
import { type Answer, writeAnswer } from "./streamed.ts";
import type { HttpTelex } from "../limits.ts";

/** `POST /v1/responses`: the same operation as chat completions. Nothing is kept. */
export function createResponses(telex: HttpTelex): Endpoint {
  return createEndpoint({
    name: "ai.complete",
    operation: aiContract.complete,
    route: {
      method: "POST",
      path: "/v1/responses",
      token: "header",
      input: "json",
      response: "envelope",
      limit: "promptSize",
    },
    refuser: openAiRefuser,
    async call(caller, body, context): Promise<Answer> {
      const { input, told, stream, rename } = readResponseRequest(body);
      const { signal, abort } = createStop(context.signal);
      const events = await callAs(telex, "ai.complete", { caller, input, signal }, rename);
      const [first] = await telex.ai.models(caller, {});
      const { model = first?.model } = input;
      const lasting = whileTokenLasts(telex, caller, events, abort);
      return createResponseAnswer({ told: { ...told, model }, events: lasting, stream, abort }, telex.clock.now());
    },
    write: (answer, { refuse }) => writeAnswer(answer, telex, "ai.complete", refuse),
  });
}
