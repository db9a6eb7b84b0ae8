import { createChatAnswer } from "./answer.ts";
import { createCompletionEndpoint } from "./complete.ts";
import { theirPath } from "./fields.ts";
import type { Endpoint } from "../endpoints/operations.ts";
import { readCompletionRequest } from "./request.ts";
import type { HttpTelex } from "../limits.ts";

/** `POST /v1/chat/completions`. */
export const createCompletions = (telex: HttpTelex): Endpoint =>
  createCompletionEndpoint(telex, "/v1/chat/completions", (body) => {
    const { input, ...kind } = readCompletionRequest(body);
    return {
      input,
      rename: theirPath,
      answer({ model, ...reply }) {
        const completion = { ...reply, ...kind, model: typeof model === "string" ? model : "" };
        return createChatAnswer(completion, telex.clock.now());
      },
    };
  });
