import { createCompletionEndpoint } from "./complete.ts";
import type { Endpoint } from "../endpoints/operations.ts";
import { createResponseAnswer } from "./response-answer.ts";
import { readResponseRequest } from "./response-request.ts";
import type { HttpTelex } from "../limits.ts";

/** Null for each setting that the model ignores: a response repeats the settings in effect. */
const unsetBy = (ignored: readonly string[]): Record<string, null> =>
  Object.fromEntries(["temperature", "top_p"].filter((name) => ignored.includes(name)).map((name) => [name, null]));

/** `POST /v1/responses`: the same operation as chat completions. It stores nothing. */
export const createResponses = (telex: HttpTelex): Endpoint =>
  createCompletionEndpoint(telex, "/v1/responses", (body) => {
    const { input, hints, repeated, stream, rename } = readResponseRequest(body);
    return {
      input,
      hints,
      rename,
      answer({ model, ignored, ...reply }) {
        const responseFields = () => ({ ...repeated, ...unsetBy(ignored), model: model() });
        return createResponseAnswer({ ...reply, repeated: responseFields, stream }, telex.clock.now());
      },
    };
  });
