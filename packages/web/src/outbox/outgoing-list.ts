import type { ReadonlySignal } from "@preact/signals";
import { createItems } from "../base/items.ts";
import type { Problem } from "../server/problem.ts";
import type { Shelf } from "../base/shelf.ts";
import { createNonce } from "../base/nonce.ts";

/** The delivery options of a text to a device. */
export interface Delivery {
  readonly title?: string;
  /** From 1 to 5, the most urgent. */
  readonly priority?: number;
  /** The lifetime in seconds. */
  readonly life?: number;
  /** The time of sending, in ISO 8601. */
  readonly at?: string;
}

/** A text that is not stored yet. `waiting` texts are sent when the connection is back; `failed` texts were rejected. */
export interface Outgoing {
  /** Makes repeats safe: the server stores only one text with this nonce. */
  readonly nonce: string;
  /** The device or room. */
  readonly to: string;
  readonly content: string;
  /** For devices only. */
  readonly delivery?: Delivery | undefined;
  /** Unix milliseconds. */
  readonly at: number;
  readonly state: "sending" | "waiting" | "failed";
  readonly problem: Problem | null;
}

/** Unsent texts in the order of typing. Owns them. The list is stored beyond the page. */
export interface OutgoingList {
  readonly texts: ReadonlySignal<readonly Outgoing[]>;
  readonly add: (to: string, content: string, delivery?: Delivery) => Outgoing;
  readonly change: (nonce: string, news: Pick<Outgoing, "state" | "problem">) => void;
  readonly remove: (nonce: string) => void;
}

type Kept = Pick<Outgoing, "nonce" | "to" | "content" | "delivery" | "at">;

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" &&
  value !== null &&
  "nonce" in value &&
  "to" in value &&
  "content" in value &&
  "at" in value;

function readKept(shelf: Shelf): readonly Outgoing[] {
  const stored = shelf.names().map((name): unknown => JSON.parse(shelf.read(name) ?? "null"));
  const inOrder = stored.filter(isKept).toSorted((a, b) => a.at - b.at);
  return inOrder.map((text) => ({ ...text, state: "waiting", problem: null }));
}

/** Creates a list with the texts that an earlier page left on the shelf. Each text has its own entry, so that tabs do not overwrite each other. */
export function createOutgoingList(shelf: Shelf): OutgoingList {
  const { items: texts, change, ...list } = createItems(readKept(shelf), ({ nonce }) => nonce);
  const add = (to: string, content: string, delivery?: Delivery): Outgoing => {
    const entry: Kept = { nonce: createNonce(), to, content, delivery, at: Date.now() };
    shelf.write(entry.nonce, JSON.stringify(entry));
    return list.add({ ...entry, state: "sending", problem: null });
  };
  const remove = (nonce: string): void => {
    list.remove(nonce);
    shelf.remove(nonce);
  };

  return { texts, add, change, remove };
}
