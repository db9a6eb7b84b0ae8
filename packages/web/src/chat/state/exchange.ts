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
  /** Empty if there is no answer. */
  readonly answer: string;
}

/** The questions in progress on the connection. */
export interface Asking {
  /** Asks a question, and shows it immediately. Until the server has it, it is stored with its position and files. */
  readonly ask: (thread: Thread, question: string, extras?: Partial<Extras>) => void;
  /** Allows or denies a tool call. */
  readonly permit: (thread: Thread, callId: string, allow: boolean) => void;
  /** Stops the reply of a conversation. */
  readonly stop: (thread: Thread) => void;
  /** Discards a failed question. */
  readonly discard: (thread: Thread, identifier: string) => void;
  /** Restores questions that were in progress before a reload, as failed questions. Returns the conversation. */
  readonly recall: (thread: Thread) => Thread;
  /** Removes interrupted questions that turn out to be stored on the server. */
  readonly reconcile: (thread: Thread) => void;
  readonly ended: ReadonlySignal<Ended | null>;
}

export interface AskingOptions {
  readonly commands: ChatCommands;
  readonly isLive: () => boolean;
  /** Stores questions until the server has them. */
  readonly shelf: Shelf;
  /** Called when a new conversation has its ID. */
  readonly begun: (thread: Thread, id: number) => void;
  /** Called after a reply has ended and its conversation is loaded. Fetches other data that it changed, and resolves with the cause of a rejection. */
  readonly over: (thread: Thread, words: string | null) => Promise<Trouble | null>;
}

/** Limits for the length of a question, in code points. */
export const questionLimit: LengthLimit = { longest: 100_000, counted: 90_000 };

/** The maximum size of a question in a frame, in bytes. The limit of a frame is 256 KiB, which includes file names and settings. */
const longestInFrame = 250_000;

/** The length of a question in code points. If it does not fit into a frame, it exceeds the maximum by the number of excess bytes. */
export function questionLengthOf(text: string): number {
  const used = lengthOf(text, questionLimit);
  // JSON encodes a UTF-16 unit in at most six bytes.
  if (text.length * 6 <= longestInFrame) return used;
  const bytes = new TextEncoder().encode(JSON.stringify(text)).length;
  const over = Math.ceil((used * (bytes - longestInFrame)) / bytes);
  return over > 0 ? Math.max(used, questionLimit.longest + over) : used;
}

/** The interval at which pieces of a reply are drawn, in milliseconds. */
const drawing = 40;

export const change = ({ exchange }: Thread, changed: Partial<Exchange>): void => {
  const current = exchange.peek();
  if (current !== null) exchange.value = { ...current, ...changed };
};

function lengthen(thread: Thread, text: string): void {
  const { answer = "", state = "asking" } = thread.exchange.peek() ?? {};
  change(thread, { answer: answer + text, state: state === "asking" ? "answering" : state });
}

/** Removes the permission request of a tool call. */
export function forget(thread: Thread, callId: string): void {
  const requests = thread.exchange.peek()?.requests ?? [];
  change(thread, { requests: requests.filter((one) => one.callId !== callId) });
}

/** Collects pieces until they are drawn. */
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
