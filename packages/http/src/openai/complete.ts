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

/** An event of a reply. */
export type ReplyEvent = Exclude<CompletionEvent, { readonly kind: "answering" }>;

/** The reply of a model. */
interface Reply {
  /** The name of the model that replies. It is known with the first event. */
  readonly model: () => string;
  /** The fields of the request that the header names. */
  readonly ignored: readonly string[];
  readonly events: AsyncIterable<ReplyEvent>;
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
  /** The name of the model that replies; null while it is unknown, because a stream began before its first event. */
  readonly replying: () => string | null;
}

/** The events of a reply, and the name of the model that replies: the one that was asked, or one of its members. */
function nameModel(name: string, events: AsyncIterable<CompletionEvent>) {
  let [model, isKnown] = [name, false];
  const named = async function* (): AsyncGenerator<ReplyEvent> {
    for await (const event of events) {
      if (event.kind === "answering") ({ model } = event);
      isKnown = true;
      if (event.kind !== "answering") yield event;
    }
  };
  return { model: () => model, replying: () => (isKnown ? model : null), events: named() };
}

const isVisible = /^[\u0021-\u007e]{1,128}$/;

/** The headers that say how a request was treated. The name of a model can have letters that a header cannot. */
function headersOf({ ignored, replying }: Written): Readonly<Record<string, string>> {
  const model = replying() ?? "";
  return {
    ...(ignored.length > 0 && { "x-telex-ignored": ignored.join(", ") }),
    ...(isVisible.test(model) && { "x-telex-model": model }),
  };
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
      const chosen = models.find(({ model }) => model === (input["model"] ?? models[0]?.model));
      const ignored = ignoredBy(hints, chosen?.settings ?? []);
      const named = nameModel(chosen?.model ?? "", whileTokenLasts(telex, caller, events, abort));
      const { model, replying } = named;
      return { answer: answer({ model, events: named.events, ignored, abort }), ignored, replying };
    },
    async write(written, { refuse }) {
      const response = await writeAnswer(written.answer, telex, "ai.complete", refuse);
      return { ...response, headers: { ...response.headers, ...headersOf(written) } };
    },
  });
