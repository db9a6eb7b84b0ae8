import { signal } from "@preact/signals";
import type { Shelf } from "../../base/shelf.ts";
import { readQuestions, writeQuestions } from "./kept-questions.ts";
import { type ChatCommands, refusalOf } from "./commands.ts";
import { type Exchange, fail, knownUpTo, settle, type Thread } from "./thread.ts";
import type { Trouble } from "./trouble.ts";
import {
  type Ended,
  type Asking,
  type AskingOptions,
  change,
  createPieces,
  unreachable,
  createExchange,
  forget,
} from "./exchange.ts";

const shelfName = ({ id }: Thread): string => String(id.peek() ?? "new");

/** Stores the questions of a conversation that the server does not have, so that they survive a reload. */
const createKeep =
  (shelf: Shelf) =>
  (thread: Thread): void => {
    const { exchange, failed } = thread;
    const asked = exchange.peek();
    const questions = [...failed.peek(), ...(asked === null ? [] : [asked])].filter(({ taken }) => !taken);
    if (questions.length === 0) shelf.remove(shelfName(thread));
    else shelf.write(shelfName(thread), writeQuestions(questions));
  };

type Keep = ReturnType<typeof createKeep>;

/** The questions that the server does not have. */
const createUnsent = (shelf: Shelf, keep: Keep): Pick<Asking, "discard" | "recall" | "reconcile"> => ({
  discard(thread, identifier) {
    thread.failed.value = thread.failed.peek().filter((one) => one.identifier !== identifier);
    keep(thread);
  },
  recall(thread) {
    if (thread.exchange.peek() !== null || thread.failed.peek().length > 0) return thread;
    const questions = readQuestions(shelf.read(shelfName(thread)));
    // No part of the replies had arrived.
    const cutOff = { state: "failed", trouble: { kind: "cutOff" } } as const;
    thread.failed.value = questions.map(({ question, ...extras }) => ({
      ...createExchange(question, Infinity, extras),
      ...cutOff,
    }));
    return thread;
  },
  reconcile(thread) {
    if (thread.exchange.peek() === null) settle(thread);
    keep(thread);
  },
});

/** The reason why a reply ended early: the error message of the server, or a lost connection. */
interface Failed {
  readonly words?: string | null;
  readonly trouble?: Trouble | null;
}

const failureOf = (error: unknown): Failed => {
  const words = refusalOf(error);
  return words === null ? { trouble: { kind: "cutOff" } } : { words };
};

/** Records that the server has a question. For the first question, also records the ID of the new conversation. */
const createBegin =
  ({ shelf, begun, commands }: Pick<AskingOptions, "shelf" | "begun" | "commands">, keep: Keep) =>
  (thread: Thread, id: number): void => {
    if (thread.exchange.peek()?.taken === true) return;
    change(thread, { taken: true });
    const isNew = thread.id.peek() === null;
    if (isNew) {
      shelf.remove(shelfName(thread));
      thread.id.value = id;
    }
    keep(thread);
    if (!isNew) return;
    begun(thread, id);
    // The conversation had no ID when the person pressed stop.
    if (thread.exchange.peek()?.state === "stopping") commands.stop(id);
  };

/** Removes questions that the server has stored, unless another question is still being answered. */
function settleEnded(thread: Thread, identifier: string): void {
  const asked = thread.exchange.peek();
  if (asked === null || asked.identifier === identifier) settle(thread);
}

/** Ends questions, with or without an answer. */
function createEndings({ over, ...options }: Omit<AskingOptions, "isLive">, keep: Keep) {
  const ended = signal<Ended | null>(null);
  const pieces = createPieces();
  const end = async (thread: Thread, identifier: string, { words = null, trouble = null }: Failed): Promise<void> => {
    pieces.draw();
    const answer = thread.exchange.peek()?.answer ?? "";
    if (trouble !== null) fail(thread, identifier, trouble);
    await thread.load();
    // Runs before anything else is fetched, so that stored questions are not shown twice.
    settleEnded(thread, identifier);
    const found = await over(thread, words);
    // A new connection may have loaded the question since then.
    settleEnded(thread, identifier);
    fail(thread, identifier, found);
    keep(thread);
    ended.value = { thread, answer };
  };
  return { ended, begin: createBegin(options, keep), end, add: pieces.add };
}

/** Sends questions. `count` returns the number of questions in progress. */
function createSending(commands: ChatCommands, { begin, end, add }: ReturnType<typeof createEndings>) {
  let running = 0;
  const send = async (thread: Thread, { identifier, replaces, files, question: content }: Exchange): Promise<void> => {
    running += 1;
    const asked = commands.chat({ conversationId: thread.id.peek(), content, replaces, files }, (piece) => {
      begin(thread, piece.conversationId);
      if ("delta" in piece) add(thread, piece.delta);
      else if ("tool" in piece) change(thread, { requests: [...(thread.exchange.peek()?.requests ?? []), piece] });
      else forget(thread, piece.callId);
    });
    const failure = await asked.then((id) => begin(thread, id), failureOf);
    running -= 1;
    await end(thread, identifier, failure ?? {});
  };
  return { send, count: () => running };
}

export function createAsking({ isLive, ...options }: AskingOptions): Asking {
  const { commands, shelf } = options;
  const keep = createKeep(shelf);
  const endings = createEndings(options, keep);
  const { send, count } = createSending(commands, endings);
  const ask: Asking["ask"] = (thread, question, extras) => {
    const exchange = createExchange(question, knownUpTo(thread), extras);
    thread.exchange.value = exchange;
    keep(thread);
    if (isLive()) void send(thread, exchange);
    else fail(thread, exchange.identifier, unreachable);
  };
  const stop = (thread: Thread): void => {
    change(thread, { state: "stopping" });
    const id = thread.id.peek();
    if (id !== null || count() === 1) commands.stop(id);
  };
  const permit = (thread: Thread, callId: string, allow: boolean): void => {
    forget(thread, callId);
    commands.answer(callId, allow);
  };
  return { ...createUnsent(shelf, keep), ended: endings.ended, ask, stop, permit };
}
