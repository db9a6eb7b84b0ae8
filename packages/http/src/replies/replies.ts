import { randomBytes } from "node:crypto";
import { type Caller, type ReplyPosition, TelexError, type TokenHolder } from "@telex/core";
import type { ChatEvent } from "@telex/core/contract";
import type { CloseReason } from "@telex/core/transport";
import { type EventSource, sourceOf } from "../events/event-source.ts";
import { atTheLatest, textOf } from "./beginning.ts";
import type { Refuse } from "../response/http-response.ts";
import { createReplyParts } from "./reply-parts.ts";
import { createReplyStream } from "./reply-stream.ts";
import type { HttpTelex } from "../limits.ts";
import { type Kept, type Opened, eventId, createEncoder, createKept } from "./kept-reply.ts";

/** The replies of one instance that are in progress, and for a while those that have ended. */
export interface Replies {
  /**
   * Begins a reply and returns its events.
   * @param start asks the model; the signal stops it
   * @param gone aborted when the reader goes away before anything was sent
   * @throws TelexError if the call is refused, or the reply fails before the first event
   */
  begin(
    holder: TokenHolder,
    start: (signal: AbortSignal) => Promise<AsyncIterable<ChatEvent>>,
    call: { readonly operation: string; readonly refuse: Refuse; readonly gone: AbortSignal | undefined },
  ): Promise<EventSource>;
  /**
   * The events of a reply after the last one that the reader has seen, also if another server runs the reply.
   * @param lastEventId `<replyId>:<number>`
   * @throws TelexError `insufficient_scope`; `not_found` if the reply is not kept, or belongs to another user; `rate_limited` for too many
   * simultaneous questions to other servers
   */
  resume(caller: Caller, lastEventId: string, refuse: Refuse): Promise<EventSource>;
}

/** A reply as it begins. */
interface Beginning {
  readonly holder: TokenHolder;
  readonly events: AsyncIterable<ChatEvent>;
  readonly abort: () => void;
  /** The name of its operation. */
  readonly operation: string;
  readonly refuse: Refuse;
}

function openReply(telex: HttpTelex, kept: ReturnType<typeof createKept>, beginning: Beginning): Opened {
  const { limits, clock, log } = telex;
  const { holder, events, abort, operation, refuse } = beginning;
  const id = randomBytes(12).toString("base64url");
  let detach = (): void => {};
  const encodeFailure = (error: TelexError): string => {
    // A failure before the response has begun is that of the call, and logged there.
    if (error.cause !== undefined && kept.isInProgress(id))
      log.error("http.failed", { operation, code: error.code, incident: error.incident }, error.cause);
    return failureText(error, refuse);
  };
  const ended = (): void => {
    detach();
    kept.end(id);
  };
  const parts = { id, events, abort, encode: createEncoder(), encodeFailure, ended };
  const stream = createReplyStream<ChatEvent>(parts, limits, clock);
  const close = (reason: CloseReason): unknown =>
    reason === "token_ended" && stream.fail(new TelexError("invalid_token"));
  detach = telex.attach({ holder, write: () => undefined, close });
  return { id, stream };
}

const failureText = (error: TelexError, refuse: Refuse): string =>
  `event: OperationFailed\ndata: ${textOf(refuse(error))}\n\n`;

/** The events of a reply on another server, which may go away. */
async function* withFailure(texts: AsyncIterable<string>, refuse: Refuse): AsyncGenerator<string> {
  try {
    yield* texts;
  } catch (error) {
    yield failureText(TelexError.from(error), refuse);
  }
}

/** Begins replies, and finds those that were begun. */
export function createReplies(telex: HttpTelex): Replies {
  const { limits, clock } = telex;
  const kept = createKept(clock, limits);
  const partOf = createReplyParts(clock);
  const read = async (
    existing: Kept | undefined,
    position: ReplyPosition,
    refuse: Refuse,
  ): Promise<EventSource | null> => {
    if (existing !== undefined) return existing.stream.read(position.after);
    const left = new AbortController();
    const texts = await telex.remoteReplies.read(position, left.signal);
    return texts === null ? null : sourceOf(withFailure(texts, refuse), () => left.abort());
  };
  telex.remoteReplies.offer(async (ask) => {
    const existing = kept.find(ask.reply);
    return existing?.userId === ask.userId ? partOf(ask, existing.stream) : null;
  });
  return {
    async begin(holder, start, { operation, refuse, gone }) {
      const stopping = new AbortController();
      const events = await start(stopping.signal);
      const beginning = { holder, events, abort: () => stopping.abort(), operation, refuse };
      const { id, stream } = openReply(telex, kept, beginning);
      await atTheLatest(stream.begun, clock, limits.eventHeartbeat, gone);
      if (!stream.isOver()) kept.begin(id, { userId: holder.userId, stream });
      return stream.readAll();
    },
    async resume(caller, lastEventId, refuse) {
      const [, reply = "", number = ""] = eventId.exec(lastEventId) ?? [];
      const existing = kept.find(reply);
      const holder = caller.kind === "token" && (existing?.userId ?? caller.userId) === caller.userId ? caller : null;
      const mayRead = holder?.scopes.includes("chat") === true;
      if (holder !== null && existing !== undefined && !mayRead)
        throw new TelexError("insufficient_scope", { params: { scope: "chat" } });
      const position = { reply, userId: holder?.userId ?? 0, after: Number(number) };
      const events = mayRead && reply !== "" ? await read(existing, position, refuse) : null;
      if (events === null) throw new TelexError("not_found");
      return events;
    },
  };
}
