import { randomBytes } from "node:crypto";
import type { CompletionEvent } from "@telex/core/contract";
import type { Fields } from "./fields.ts";

/** A piece of a reply. */
export type Piece = Exclude<CompletionEvent, { readonly kind: "result" }>;

/** Whether the reply came to its own end. */
export type ItemStatus = "completed" | "incomplete";

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
export interface Output {
  add(piece: Piece): ResponseEvent[];
  /** Closes what is open. A reply without any item becomes an empty message. */
  end(status: ItemStatus): ResponseEvent[];
  items(): Fields[];
}

/** An output without items. The text before a call and the text after it are two messages. */
export function createOutput(): Output {
  const items: Item[] = [];
  const calls = new Map<number, Item>();
  let message: Item | null = null;
  const keep = ({ item, events }: Opened): ResponseEvent[] => {
    items.push(item);
    return events;
  };
  const startMessage = (): ResponseEvent[] => {
    const started = openMessage(items.length);
    message = started.item;
    return keep(started);
  };
  const endMessage = (status: ItemStatus): ResponseEvent[] => {
    const events = message?.close(status) ?? [];
    message = null;
    return events;
  };
  const addCall = ({
    index,
    id = newId("call"),
    name = "",
    arguments: text,
  }: Extract<Piece, { kind: "tool_call" }>) => {
    const known = calls.get(index);
    if (known !== undefined) return known.add(text);
    const before = endMessage("completed");
    const started = openCall(items.length, id, name);
    calls.set(index, started.item);
    return [...before, ...keep(started), ...started.item.add(text)];
  };
  return {
    add(piece) {
      if (piece.kind === "tool_call") return addCall(piece);
      const before = message === null ? startMessage() : [];
      return [...before, ...(message?.add(piece.delta) ?? [])];
    },
    end(status) {
      const empty = items.length === 0 ? startMessage() : [];
      return [...empty, ...endMessage(status), ...[...calls.values()].flatMap((call) => call.close(status))];
    },
    items: () => items.map((item) => item.view()),
  };
}
