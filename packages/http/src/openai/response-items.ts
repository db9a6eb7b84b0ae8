import { randomBytes } from "node:crypto";
import type { CompletionEvent } from "@telex/core/contract";
import type { Fields } from "./fields.ts";

/** A piece of a reply. */
type Piece = Exclude<CompletionEvent, { readonly kind: "result" }>;

/** `completed` if the reply came to its own end. */
type ItemStatus = "completed" | "incomplete";

/** An event of a stream of `/v1/responses`, without its number. */
export interface ResponseEvent extends Fields {
  readonly type: string;
}

/** An item of the output that grows piece by piece. */
interface Item {
  add(piece: string): ResponseEvent[];
  close(status: ItemStatus): ResponseEvent[];
  /** The item after `close`. */
  view(): Fields;
}

/** A new ID such as `msg_…`. */
export const newId = (kind: string): string => `${kind}_${randomBytes(18).toString("base64url")}`;

const opened = (output_index: number, item: Fields): ResponseEvent => ({
  type: "response.output_item.added",
  output_index,
  item,
});

const closed = (output_index: number, item: Fields): ResponseEvent => ({
  type: "response.output_item.done",
  output_index,
  item,
});

interface Opened {
  readonly item: Item;
  readonly events: ResponseEvent[];
}

function openMessage(output_index: number): Opened {
  const id = newId("msg");
  const at = { item_id: id, output_index, content_index: 0 };
  let text = "";
  let status: ItemStatus = "incomplete";
  const part = () => ({ type: "output_text", text, annotations: [], logprobs: [] });
  const head = { id, type: "message", role: "assistant" };
  const view = () => ({ ...head, status, content: [part()] });
  return {
    events: [
      opened(output_index, { ...head, status: "in_progress", content: [] }),
      { type: "response.content_part.added", ...at, part: part() },
    ],
    item: {
      view,
      add(delta) {
        text += delta;
        return [{ type: "response.output_text.delta", ...at, delta, logprobs: [] }];
      },
      close(how) {
        status = how;
        return [
          { type: "response.output_text.done", ...at, text, logprobs: [] },
          { type: "response.content_part.done", ...at, part: part() },
          closed(output_index, view()),
        ];
      },
    },
  };
}

function openCall(output_index: number, call_id: string, name: string): Opened {
  const id = newId("fc");
  const at = { item_id: id, output_index };
  let text = "";
  let status: ItemStatus = "incomplete";
  const head = { id, type: "function_call", call_id, name };
  const view = () => ({ ...head, status, arguments: text });
  return {
    events: [opened(output_index, { ...head, status: "in_progress", arguments: "" })],
    item: {
      view,
      add(delta) {
        text += delta;
        return delta === "" ? [] : [{ type: "response.function_call_arguments.delta", ...at, delta }];
      },
      close(how) {
        status = how;
        return [
          { type: "response.function_call_arguments.done", ...at, name, arguments: text },
          closed(output_index, view()),
        ];
      },
    },
  };
}

/** The output of a response, and the events that tell of it. */
interface Output {
  add(piece: Piece): ResponseEvent[];
  /** Closes what is open. A reply without any item becomes an empty message. */
  end(status: ItemStatus): ResponseEvent[];
  items(): Fields[];
}

/** The items of an output, in the order in which they began. */
function createItems() {
  const items: Item[] = [];
  return {
    size: (): number => items.length,
    keep({ item, events }: Opened): ResponseEvent[] {
      items.push(item);
      return events;
    },
    view: (): Fields[] => items.map((item) => item.view()),
  };
}

type Items = ReturnType<typeof createItems>;

/** The message that is being written, if any. */
function createMessages(items: Items) {
  let message: Item | null = null;
  const start = (): ResponseEvent[] => {
    const started = openMessage(items.size());
    message = started.item;
    return items.keep(started);
  };
  const add = (delta: string): ResponseEvent[] => {
    const before = message === null ? start() : [];
    return [...before, ...(message?.add(delta) ?? [])];
  };
  const end = (status: ItemStatus): ResponseEvent[] => {
    const events = message?.close(status) ?? [];
    message = null;
    return events;
  };
  return { start, add, end };
}

type CallPiece = Extract<Piece, { kind: "tool_call" }>;

/** The calls of tools, by their index. They stay open until the reply ends. */
function createCalls(items: Items, endMessage: () => ResponseEvent[]) {
  const calls = new Map<number, Item>();
  const begin = ({ index, id = newId("call"), name = "", arguments: text }: CallPiece): ResponseEvent[] => {
    const before = endMessage();
    const started = openCall(items.size(), id, name);
    calls.set(index, started.item);
    return [...before, ...items.keep(started), ...started.item.add(text)];
  };
  return {
    add: (piece: CallPiece): ResponseEvent[] => calls.get(piece.index)?.add(piece.arguments) ?? begin(piece),
    end: (status: ItemStatus): ResponseEvent[] => [...calls.values()].flatMap((call) => call.close(status)),
  };
}

/** An output without items. The text before a call and the text after it are two messages. */
export function createOutput(): Output {
  const items = createItems();
  const messages = createMessages(items);
  const calls = createCalls(items, () => messages.end("completed"));
  return {
    add: (piece) => (piece.kind === "tool_call" ? calls.add(piece) : messages.add(piece.delta)),
    end(status) {
      const empty = items.size() === 0 ? messages.start() : [];
      return [...empty, ...messages.end(status), ...calls.end(status)];
    },
    items: items.view,
  };
}
