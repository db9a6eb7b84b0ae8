import type { ReadonlySignal } from "@preact/signals";
import { createItems } from "../base/items.ts";
import type { Problem } from "../server/problem.ts";
import type { Shelf } from "../base/shelf.ts";
import { createNonce } from "../base/nonce.ts";

/** How a device gets a text. */
export interface Delivery {
  readonly title?: string;
  /** 1 to 5, the most urgent. */
  readonly priority?: number;
  /** Seconds until it expires. */
  readonly life?: number;
  /** When it is sent, in ISO 8601. */
  readonly at?: string;
}

/** A text on its way. `waiting`: it goes out when the connection is back. `failed`: the server refused it. */
export interface Outgoing {
  /** Makes repeats harmless: the server stores a text with this nonce once. */
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

/** The texts on their way, in the order of typing. Owns them. The list outlives the page. */
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

/** The list with what an earlier page left on the shelf: each text a word of its own, so that tabs do not disturb each other. */
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
