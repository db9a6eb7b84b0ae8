import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ChatPart, ChatRequest } from "@telex/core";
import { failureOf, ProviderError, unavailable } from "./failure.ts";
import type { AiSdkModelOptions, Complete } from "./options.ts";
import { createPartReader, type PartReader } from "./parts.ts";
import { callOptionsOf } from "./request.ts";
import { createPatience, type Patience } from "./patience.ts";

/** Milliseconds before the first repeat. Each later pause is twice as long. */
const firstPause = 250;

type Parts = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;

/** A stream that has sent the first piece of the reply, or its end. */
interface Begun {
  readonly parts: Parts;
  readonly reader: PartReader;
  readonly first: ChatPart;
}

/** One request for a reply, with all its repeats. */
interface Asking {
  readonly options: AiSdkModelOptions;
  readonly request: ChatRequest;
  readonly patience: Patience;
}

const brokenOff = (): ProviderError => new ProviderError("The provider stopped in the middle.", { isTransient: true });

/** The next piece of a reply; null after the end of the stream. */
async function next(parts: Parts, reader: PartReader, patience: Patience): Promise<ChatPart | null> {
  for (;;) {
    const { done, value } = await patience.wait(parts.read());
    if (done) return null;
    patience.heard();
    const piece = reader.read(value);
    if (piece !== null) return piece;
  }
}

async function attempt({ options, request, patience }: Asking): Promise<Begun> {
  const { stream } = await patience.wait(options.model.doStream(callOptionsOf(options, request, patience.signal)));
  const parts = stream.getReader();
  const reader = createPartReader(request);
  try {
    const first = await next(parts, reader, patience);
    if (first === null) throw brokenOff();
    return { parts, reader, first };
  } catch (cause) {
    parts.cancel().catch(() => {});
    throw cause;
  }
}

/** Repeats the request until the first piece arrives. Later failures are not repeated. */
async function begin(asking: Asking, service: Complete): Promise<Begun> {
  const { request, patience } = asking;
  const retries = request.canRepeat === false ? 0 : service.retries;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt(asking);
    } catch (cause) {
      request.signal.throwIfAborted();
      const failure = failureOf(cause);
      if (!failure.isTransient || failures > retries) throw failure;
      await patience.pause(failure.retryAfter > 0 ? failure.retryAfter : firstPause * 2 ** (failures - 1));
      request.signal.throwIfAborted();
    }
  }
}

/**
 * A reply of a model of the SDK.
 * @throws TelexError `ai_unavailable`, or `invalid_request` if the provider refuses what the caller sent
 */
export async function* replyOf(
  options: AiSdkModelOptions,
  service: Complete,
  request: ChatRequest,
): AsyncGenerator<ChatPart> {
  const patience = createPatience(service, request.signal);
  let parts: Parts | null = null;
  try {
    const begun = await begin({ options, request, patience }, service);
    parts = begun.parts;
    for (let piece: ChatPart | null = begun.first; piece !== null;) {
      yield piece;
      piece = begun.reader.isOver() ? null : await next(parts, begun.reader, patience);
    }
    if (!begun.reader.isOver()) throw brokenOff();
  } catch (cause) {
    request.signal.throwIfAborted();
    throw unavailable(failureOf(cause));
  } finally {
    patience.end();
    parts?.cancel().catch(() => {});
  }
}
