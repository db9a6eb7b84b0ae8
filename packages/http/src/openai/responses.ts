import { createCompletionEndpoint } from "./complete.ts";
import type { Endpoint } from "../endpoints/operations.ts";
import { createResponseAnswer } from "./response-answer.ts";
import { readResponseRequest } from "./response-request.ts";
import type { HttpTelex } from "../limits.ts";

/** `POST /v1/responses`: the same operation as chat completions. It stores nothing. */
export const createResponses = (telex: HttpTelex): Endpoint =>
  createCompletionEndpoint(telex, "/v1/responses", (body) => {
    const { input, hints, told, stream, rename } = readResponseRequest(body);
    return {
      input,
      hints,
      rename,
      answer({ model, ignored, ...reply }) {
        const lost = Object.fromEntries(
          ["temperature", "top_p"].filter((one) => ignored.includes(one)).map((one) => [one, null]),
        );
        return createResponseAnswer(
          { ...reply, told: () => ({ ...told, ...lost, model: model() }), stream },
          telex.clock.now(),
        );
      },
    };
  });
