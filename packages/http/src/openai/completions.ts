import { createChatAnswer } from "./answer.ts";
import { createCompletionEndpoint } from "./complete.ts";
import type { Endpoint } from "../endpoints/operations.ts";
import { chatPath, readCompletionRequest } from "./request.ts";
import type { HttpTelex } from "../limits.ts";

/** `POST /v1/chat/completions`. */
export const createCompletions = (telex: HttpTelex): Endpoint =>
  createCompletionEndpoint(telex, "/v1/chat/completions", (body) => {
    const { input, hints, ...kind } = readCompletionRequest(body);
    return {
      input,
      hints,
      rename: chatPath,
      answer: (reply) => createChatAnswer({ ...reply, ...kind }, telex.clock.now()),
    };
  });
