import { TelexError } from "@telex/core";
import { envelopeHeaders, type HttpResponse, type Refuse } from "../response/http-response.ts";
import { eventResponse } from "../endpoints/writers.ts";
import { atTheLatest, textOf } from "../replies/beginning.ts";
import { sourceOf } from "../events/event-source.ts";
import type { HttpTelex } from "../limits.ts";

/** A reply of a model in a form of the interface of OpenAI, whole or as a stream. */
export interface Answer {
  readonly isStream: boolean;
  /** Stops the model. */
  abort(): void;
  /** The whole reply as JSON. @throws TelexError */
  whole(): Promise<string>;
  /** The reply as texts of events. Fails with TelexError. */
  texts(): AsyncGenerator<string>;
  /** A failure within the stream, which ends with it. `failure`: the JSON of the failure. */
  failed(failure: string): string;
}

/**
 * The answer as a stream. A failure before the first event is a failure of the call; a later one is an event.
 * @param fail logs a failure within the stream
 * @throws TelexError
 */
async function streamedAnswer(
  answer: Answer,
  { clock, limits }: HttpTelex,
  { refuse, fail }: { readonly refuse: Refuse; readonly fail: (error: TelexError) => void },
): Promise<HttpResponse> {
  const texts = answer.texts();
  const first = texts.next();
  await atTheLatest(first, clock, limits.eventHeartbeat);
  let isOver = false;
  const lines = async function* (): AsyncGenerator<string> {
    try {
      for (let next = await first; next.done !== true; next = await texts.next()) yield next.value;
    } catch (cause) {
      const error = TelexError.from(cause);
      fail(error);
      yield answer.failed(textOf(refuse(error)));
    }
    isOver = true;
  };
  const source = sourceOf(lines(), () => {
    if (isOver) return;
    answer.abort();
    texts.return(undefined).catch(() => {});
  });
  return eventResponse(source, { clock, limits });
}

/**
 * Writes an answer of `operation`.
 * @throws TelexError if the reply fails before anything was sent
 */
export async function writeAnswer(
  answer: Answer,
  telex: HttpTelex,
  operation: string,
  refuse: Refuse,
): Promise<HttpResponse> {
  if (!answer.isStream) return { status: 200, headers: envelopeHeaders, body: await answer.whole() };
  const fail = ({ code, incident, cause }: TelexError): void => {
    if (cause !== undefined) telex.log.error("http.failed", { operation, code, incident }, cause);
  };
  return await streamedAnswer(answer, telex, { refuse, fail });
}
