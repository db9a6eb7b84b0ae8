import { randomBytes } from "node:crypto";
import type { ReplyEvent } from "./complete.ts";
import type { Fields } from "./fields.ts";

/** A piece of a reply. */
export type Piece = Exclude<ReplyEvent, { readonly kind: "result" }>;

/** `completed` if the reply came to its own end. */
export type ItemStatus = "completed" | "incomplete";

/** An event of a stream of `/v1/responses`, without its number. */
export interface ResponseEvent extends Fields {
  readonly type: string;
}

/** An item of the output that grows piece by piece. */
export interface Item {
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

export interface Opened {
  readonly item: Item;
  readonly events: ResponseEvent[];
}

export function openMessage(output_index: number): Opened {
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

export function openCall(output_index: number, call_id: string, name: string): Opened {
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
