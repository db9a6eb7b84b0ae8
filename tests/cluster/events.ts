import { at, parse, textAt } from "test-support/json";
import { paths } from "../crash/support/paths.ts";

/** A question, or the event after which a reply is followed. */
export type Asked = { readonly content: string; readonly conversationId?: number } | { readonly lastEventId: string };

/** The part of a reply that a reader has received. */
export interface Heard {
  /** The status of the response; 0 if there was none. */
  readonly status: number;
  /** The id of each event that has one. */
  readonly ids: readonly string[];
  /** The pieces, in the order of their arrival. */
  readonly pieces: readonly string[];
  /** The data of `ChatResult`, the last event of a reply. */
  readonly result: unknown;
  /** The error code of `OperationFailed` or of a refusal; null without a failure. */
  readonly error: string | null;
}

/** The complete events in a text. */
function eventsIn(text: string) {
  const blocks = text.split("\n\n").slice(0, -1);
  return blocks.flatMap((block) => {
    const [, id = null] = /^id: (.+)$/m.exec(block) ?? [];
    const [, kind] = /^event: (.+)$/m.exec(block) ?? [];
    const [, data = "null"] = /^data: (.+)$/m.exec(block) ?? [];
    return kind === undefined ? [] : [{ id, kind, data: parse(data) }];
  });
}

function heardIn(status: number, text: string): Heard {
  const events = eventsIn(text);
  const failure = events.find(({ kind }) => kind === "OperationFailed")?.data;
  return {
    status,
    ids: events.flatMap(({ id }) => (id === null ? [] : [id])),
    pieces: events.flatMap(({ kind, data }) => (kind === "ChatDelta" ? [textAt(data, "delta")] : [])),
    result: events.find(({ kind }) => kind === "ChatResult")?.data ?? null,
    error: failure === undefined ? null : textAt(failure, "data", "error"),
  };
}

/** Options of a reader. */
interface Reading {
  /** The reader leaves after this many events. Default: never. */
  readonly most?: number;
  /** Called after each received text. */
  readonly onText?: () => void;
}

/** Reads the events of a reply until the end of the response. */
export async function readReply(
  { url, token }: { readonly url: string; readonly token: string },
  asked: Asked,
  { most = Number.POSITIVE_INFINITY, onText = () => {} }: Reading = {},
): Promise<Heard> {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init: RequestInit =
    "lastEventId" in asked
      ? { headers: { ...headers, "last-event-id": asked.lastEventId } }
      : { headers, body: JSON.stringify(asked) };
  let [status, text] = [0, ""];
  try {
    const response = await fetch(`${url}${paths.chat}`, { method: "POST", signal: leaving.signal, ...init });
    ({ status } = response);
    if (status !== 200) return { ...heardIn(status, ""), error: String(at(await response.json(), "data", "error")) };
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      onText();
      if (heardIn(status, text).ids.length >= most) leaving.abort();
    }
  } catch {
    // The server was killed, or the reader has left. The events received so far count.
  }
  return heardIn(status, text);
}
