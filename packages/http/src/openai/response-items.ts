import type { Fields } from "./fields.ts";
import {
  type Piece,
  type ItemStatus,
  type ResponseEvent,
  type Item,
  newId,
  type Opened,
  openMessage,
  openCall,
} from "./item-events.ts";

/** The output of a response, and its events. */
interface Output {
  add(piece: Piece): ResponseEvent[];
  /** Closes the open items. A reply without any item becomes an empty message. */
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
  const add = (delta: string): ResponseEvent[] => [
    ...(message === null ? start() : []),
    ...(message?.add(delta) ?? []),
  ];
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
