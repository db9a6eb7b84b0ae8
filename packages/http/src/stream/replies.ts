import { randomBytes } from "node:crypto";
import { type Caller, type ChatEvent, type Limits, type Telex, TelexError, type TokenHolder } from "@telex/core";
import { LRUCache } from "lru-cache";
import type { EventSource } from "./event-source.ts";
import { atTheLatest, textOf } from "./event-stream.ts";
import type { Refuse } from "../response/reply.ts";
import { createReplyLine, type ReplyLine } from "./reply-line.ts";

/** The replies of one instance that are under way, and for a while those that are over. */
export interface Replies {
  /**
   * Begins a reply and gives its events.
   * @param start asks the model; the signal stops it
   * @param gone aborted when the reader goes away before anything was sent
   * @throws TelexError what the call is refused with, or what fails before the first event
   */
  begin(
    holder: TokenHolder,
    start: (signal: AbortSignal) => Promise<AsyncIterable<ChatEvent>>,
    call: { readonly refuse: Refuse; readonly gone: AbortSignal | undefined },
  ): Promise<EventSource>;
  /**
   * The events of a reply after the one that a reader has seen last.
   * @param lastEventId `<replyId>:<number>`
   * @throws TelexError `insufficient_scope`; `not_found` where it is not kept, or somebody else's
   */
  resume(caller: Caller, lastEventId: string): EventSource;
}

interface Kept {
  readonly userId: number;
  readonly line: ReplyLine;
}

interface Opened {
  readonly id: string;
  readonly line: ReplyLine;
}

const eventId = /^([\w-]{16}):(\d{1,9})$/;

/** Writes the events of a reply. The first one says after how many milliseconds a client that lost the stream comes back. */
function createEncoder(): (event: ChatEvent) => string {
  let lead = "retry: 2000\n";
  return ({ kind, ...data }) => {
    const text = `${lead}event: ${kind === "delta" ? "ChatDelta" : "ChatResult"}\ndata: ${JSON.stringify(data)}\n\n`;
    lead = "";
    return text;
  };
}

/** Replies that are over, the oldest forgotten first. */
const createKept = ({ repliesKept, replyBuffer }: Limits) =>
  new LRUCache<string, Kept>({
    max: repliesKept,
    maxSize: (repliesKept * replyBuffer) / 4,
    sizeCalculation: ({ line }) => line.size() + 1,
  });

/** No replies yet. */
export function createReplies(telex: Telex): Replies {
  const { limits, clock, log } = telex;
  const underWay = new Map<string, Kept>();
  const over = createKept(limits);
  const open = (holder: TokenHolder, events: AsyncIterable<ChatEvent>, abort: () => void, refuse: Refuse): Opened => {
    const id = randomBytes(12).toString("base64url");
    let detach = (): void => {};
    const line = createReplyLine<ChatEvent>(
      {
        id,
        events,
        abort,
        encode: createEncoder(),
        encodeFailure(error) {
          // A failure before the answer has begun is that of the call, and logged there.
          if (error.cause !== undefined && underWay.has(id)) {
            log.error("http.failed", { operation: "ai.chat", code: error.code, incident: error.incident }, error.cause);
          }
          return `event: OperationFailed\ndata: ${textOf(refuse(error))}\n\n`;
        },
        ended() {
          detach();
          const kept = underWay.get(id);
          if (kept === undefined) return;
          underWay.delete(id);
          over.set(id, kept);
          clock.after(limits.replyKept, () => over.delete(id));
        },
      },
      limits,
      clock,
    );
    detach = telex.attach({
      holder,
      write() {},
      close: (reason) => reason === "token_ended" && line.fail(new TelexError("invalid_token")),
    });
    return { id, line };
  };
  return {
    async begin(holder, start, { refuse, gone }) {
      const stopping = new AbortController();
      const events = await start(stopping.signal);
      const { id, line } = open(holder, events, () => stopping.abort(), refuse);
      await atTheLatest(line.begun, clock, limits.eventHeartbeat, gone);
      if (!line.isOver()) underWay.set(id, { userId: holder.userId, line });
      return line.readAll();
    },
    resume(caller, lastEventId) {
      const [, id = "", number = ""] = eventId.exec(lastEventId) ?? [];
      const kept = underWay.get(id) ?? over.get(id);
      const isOwn = caller.kind === "token" && caller.userId === kept?.userId;
      if (isOwn && !caller.scopes.includes("chat")) {
        throw new TelexError("insufficient_scope", { params: { scope: "chat" } });
      }
      const events = isOwn ? kept.line.read(Number(number)) : undefined;
      if (events === undefined || events === null) throw new TelexError("not_found");
      return events;
    },
  };
}
