import { aiContract, type CompletionEvent } from "@telex/core/contract";
import { callAs, createStop, type Rename, whileTokenLasts } from "./call.ts";
import { type Hint, ignoredBy } from "./fates.ts";
import type { Fields } from "./fields.ts";
import { createEndpoint, type Endpoint } from "../endpoints/operations.ts";
import { createPromptBounds } from "./prompt-bounds.ts";
import { openAiRefuser } from "./refuser.ts";
import { openAiRoute } from "./route.ts";
import { type Answer, writeAnswer } from "./streamed.ts";
import type { HttpTelex } from "../limits.ts";

/** The reply of a model. */
interface Reply {
  /** The name of the model as the caller gave it; undefined without one. */
  readonly model: unknown;
  /** The fields of the request that the header names. */
  readonly ignored: readonly string[];
  readonly events: AsyncIterable<CompletionEvent>;
  /** Stops the model. */
  readonly abort: () => void;
}

/** A request for a reply. */
interface Request {
  /** The input of the operation `complete`, not checked yet. */
  readonly input: Fields;
  readonly hints: readonly Hint[];
  readonly rename: Rename;
  readonly answer: (reply: Reply) => Answer;
}

interface Written {
  readonly answer: Answer;
  readonly ignored: readonly string[];
}

/**
 * A path that asks a model, in one of the forms of the interface of OpenAI.
 * @param read reads a body; throws TelexError `invalid_request` for a field that is not supported
 */
export const createCompletionEndpoint = (telex: HttpTelex, path: string, read: (body: unknown) => Request): Endpoint =>
  createEndpoint({
    name: "ai.complete",
    operation: aiContract.complete,
    route: openAiRoute(path),
    refuser: openAiRefuser,
    bodyBounds: createPromptBounds(telex),
    async call(caller, body, context): Promise<Written> {
      const { input, hints, rename, answer } = read(body);
      const { signal, abort } = createStop(context.signal);
      const events = await callAs(telex, "ai.complete", { caller, input, signal }, rename);
      const models = await telex.ai.models(caller, {});
      const { model = models[0]?.model } = input;
      const ignored = ignoredBy(hints, models.find((one) => one.model === model)?.settings ?? []);
      return {
        answer: answer({ model, ignored, events: whileTokenLasts(telex, caller, events, abort), abort }),
        ignored,
      };
    },
    async write({ answer, ignored }, { refuse }) {
      const response = await writeAnswer(answer, telex, "ai.complete", refuse);
      if (ignored.length === 0) return response;
      return { ...response, headers: { ...response.headers, "x-telex-ignored": ignored.join(", ") } };
    },
  });
