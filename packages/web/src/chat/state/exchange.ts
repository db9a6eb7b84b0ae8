import type { ReadonlySignal } from "@preact/signals";
import { createNonce } from "../../base/nonce.ts";
import type { Shelf } from "../../base/shelf.ts";
import { lengthOf, type LengthLimit } from "../../ui/forms/late-counter.tsx";
import type { Extras, ChatCommands } from "./commands.ts";
import type { Exchange, Thread } from "./thread.ts";
import type { Trouble } from "./trouble.ts";

/** A complete reply, for screen readers. */
export interface Ended {
  readonly thread: Thread;
  /** Empty without an answer. */
  readonly answer: string;
}

/** The questions in progress on the connection. */
export interface Asking {
  /** Asks, and shows this immediately. A question is kept with its place and its files until the server has it. */
  readonly ask: (thread: Thread, question: string, extras?: Partial<Extras>) => void;
  /** Allows or refuses the call of a tool. */
  readonly permit: (thread: Thread, callId: string, allow: boolean) => void;
  /** Stops the reply of a conversation. */
  readonly stop: (thread: Thread) => void;
  /** Lets go of a question that failed. */
  readonly discard: (thread: Thread, identifier: string) => void;
  /** Brings back the questions that this page had asked before it was reloaded, as ones that failed. Returns the conversation. */
  readonly recall: (thread: Thread) => Thread;
  /** Lets go of questions that were cut off and that the server, as is known by now, had kept. */
  readonly reconcile: (thread: Thread) => void;
  readonly ended: ReadonlySignal<Ended | null>;
}

export interface AskingOptions {
  readonly commands: ChatCommands;
  readonly isLive: () => boolean;
  /** Where questions lie until the server has them. */
  readonly shelf: Shelf;
  /** A new conversation has got its id. */
  readonly begun: (thread: Thread, id: number) => void;
  /** Finds out what a refusal means; called after a reply ended and its conversation was loaded, to fetch what else it changed. */
  readonly over: (thread: Thread, words: string | null) => Promise<Trouble | null>;
}

/** Code points that a question may have. */
export const questionLimit: LengthLimit = { longest: 100_000, counted: 90_000 };

/** Bytes of a question in a frame of the socket, which has 256 KiB for the names of files and the settings, too. */
const longestInFrame = 250_000;

/** The length of a question in code points. One that does not fit into a frame is too long by as many characters as it has too many bytes. */
export function questionLengthOf(text: string): number {
  const used = lengthOf(text, questionLimit);
  // JSON writes a unit of UTF-16 in at most six bytes.
  if (text.length * 6 <= longestInFrame) return used;
  const bytes = new TextEncoder().encode(JSON.stringify(text)).length;
  const over = Math.ceil((used * (bytes - longestInFrame)) / bytes);
  return over > 0 ? Math.max(used, questionLimit.longest + over) : used;
}

/** Milliseconds over which the pieces of a reply are drawn together. */
const drawing = 40;

export const change = ({ exchange }: Thread, changed: Partial<Exchange>): void => {
  const current = exchange.peek();
  if (current !== null) exchange.value = { ...current, ...changed };
};

function lengthen(thread: Thread, text: string): void {
  const { answer = "", state = "asking" } = thread.exchange.peek() ?? {};
  change(thread, { answer: answer + text, state: state === "asking" ? "answering" : state });
}

/** Lets go of a question about a call. */
export function forget(thread: Thread, callId: string): void {
  const requests = thread.exchange.peek()?.requests ?? [];
  change(thread, { requests: requests.filter((one) => one.callId !== callId) });
}

/** Pieces that have come and are not drawn yet. */
export function createPieces() {
  const pieces = new Map<Thread, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [thread, text] of pieces) lengthen(thread, text);
    pieces.clear();
  };
  const add = (thread: Thread, text: string): void => {
    pieces.set(thread, (pieces.get(thread) ?? "") + text);
    timer ??= setTimeout(draw, drawing);
  };
  return { draw, add };
}

export const unreachable: Trouble = { kind: "problem", problem: "unreachable" };

/** A question that goes out. */
export const createExchange = (question: string, since: number, extras: Partial<Extras> = {}): Exchange => ({
  identifier: createNonce(),
  question,
  replaces: extras.replaces ?? null,
  files: extras.files ?? [],
  since,
  answer: "",
  requests: [],
  state: "asking",
  trouble: null,
  taken: false,
});
