import type { ChatEvent } from "@telex/core/contract";
import { createParser, type EventSourceMessage } from "eventsource-parser";

/** The end of a stream without a result. */
interface StreamFailure {
  readonly status: number;
  readonly body: unknown;
}

/** How a stream of events is read. */
interface EventReading {
  /** Requests the same reply, beginning after this event. */
  readonly resume: (lastEventId: string) => Promise<Response>;
  readonly fail: (failure: StreamFailure) => Error;
}

/** How often a lost stream is resumed before its loss is an error. */
const resumes = 3;

const kinds: Readonly<Record<string, ChatEvent["kind"]>> = {
  ChatDelta: "delta",
  ChatToolRequest: "toolRequest",
  ChatTool: "tool",
  ChatResult: "result",
};

/** Reads messages from chunks of bytes; a message may span several chunks. */
function createReadMessages(): (bytes: Uint8Array) => readonly EventSourceMessage[] {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void messages.push(message) });
  const decoder = new TextDecoder();
  return (bytes) => {
    parser.feed(decoder.decode(bytes, { stream: true }));
    return messages.splice(0);
  };
}

async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  const readMessages = createReadMessages();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* readMessages(value);
    }
  } finally {
    // A reader that stops reading stops the reply.
    await reader.cancel().catch(() => {});
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const statusOf = (body: unknown): number => (isFields(body) ? Number(body["code"]) || 0 : 0);

/** True for a piece of a reply with the fields of its kind. */
function isChatEvent(event: Fields): event is Fields & ChatEvent {
  const { kind, conversationId, delta, content, usage, finishReason, callId, name, server, tool } = event;
  if (typeof conversationId !== "number") return false;
  if (kind === "tool") return typeof callId === "string" && typeof name === "string";
  if (kind === "toolRequest")
    return typeof callId === "string" && typeof server === "string" && typeof tool === "string";
  if (kind === "delta") return typeof delta === "string";
  return kind === "result" && typeof content === "string" && typeof finishReason === "string" && isFields(usage);
}

/** Null for an event that this client does not know. */
function eventOf({ event = "", data }: EventSourceMessage, { fail }: EventReading): ChatEvent | null {
  const body: unknown = JSON.parse(data);
  if (event === "OperationFailed") throw fail({ status: statusOf(body), body });
  const read: Fields = { ...(isFields(body) ? body : {}), kind: kinds[event] };
  return isChatEvent(read) ? read : null;
}

/** The position at which a connection broke off; an error of the stream itself is passed on. */
interface Position {
  lastEventId: string;
  isOver: boolean;
  broken: unknown;
}

async function* readOnce(response: Response, position: Position, reading: EventReading): AsyncGenerator<ChatEvent> {
  const messages = messagesOf(response.body ?? new ReadableStream());
  for (;;) {
    const next = await messages.next().catch((cause: unknown) => {
      position.broken = cause;
      return { done: true, value: undefined } as const;
    });
    if (next.done === true) return;
    position.lastEventId = next.value.id ?? position.lastEventId;
    const event = eventOf(next.value, reading);
    if (event === null) continue;
    position.isOver = event.kind === "result";
    yield event;
  }
}

/**
 * The events of a reply. A broken stream is resumed where it was lost.
 * @throws the error that `fail` makes of a failure, and errors of the network
 */
export async function* eventsOf(response: Response, reading: EventReading): AsyncGenerator<ChatEvent> {
  const position: Position = { lastEventId: "", isOver: false, broken: null };
  let source = response;
  for (let lost = 0; ; lost += 1) {
    yield* readOnce(source, position, reading);
    if (position.isOver) return;
    if (lost === resumes || position.lastEventId === "") break;
    source = await reading.resume(position.lastEventId);
  }
  throw position.broken instanceof Error ? position.broken : new Error("The stream ended before the reply did.");
}
