import { type ReadonlySignal, signal } from "@preact/signals";
import { createNonce } from "../base/nonce.ts";
import type { Shelf } from "../base/shelf.ts";
import { type Line, refusalOf } from "./line.ts";
import { type Exchange, fail, knownUpTo, settle, type Thread } from "./thread.ts";
import type { Trouble } from "./trouble.ts";

/** A complete reply, for screen readers. */
interface Ended {
  readonly thread: Thread;
  /** Empty without an answer. */
  readonly answer: string;
}

/** The questions in progress on the connection. */
export interface Asking {
  /** Asks, and shows this immediately. The words of a question are kept until the server has them. */
  readonly ask: (thread: Thread, question: string) => void;
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

interface AskingOptions {
  readonly line: Line;
  readonly isLive: () => boolean;
  /** Where questions lie until the server has them. */
  readonly shelf: Shelf;
  /** A new conversation has got its id. */
  readonly begun: (thread: Thread, id: number) => void;
  /** Finds out what a refusal means; called after a reply ended and its conversation was loaded, to fetch what else it changed. */
  readonly over: (thread: Thread, words: string | null) => Promise<Trouble | null>;
}

/** Milliseconds over which the pieces of a reply are drawn together. */
const drawing = 40;

const shelfName = ({ id }: Thread): string => String(id.peek() ?? "new");

const change = ({ exchange }: Thread, changed: Partial<Exchange>): void => {
  const current = exchange.peek();
  if (current !== null) exchange.value = { ...current, ...changed };
};

function lengthen(thread: Thread, text: string): void {
  const { answer = "", state = "asking" } = thread.exchange.peek() ?? {};
  change(thread, { answer: answer + text, state: state === "asking" ? "answering" : state });
}

/** Pieces that have come and are not drawn yet. */
function createPieces() {
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

const unreachable: Trouble = { kind: "problem", problem: "unreachable" };

/** A question that goes out. */
const createExchange = (question: string, since: number): Exchange => ({
  identifier: createNonce(),
  question,
  since,
  answer: "",
  state: "asking",
  trouble: null,
  taken: false,
});

/** The questions on a shelf. */
function readQuestions(kept: string | null): readonly string[] {
  if (kept === null) return [];
  try {
    const questions: unknown = JSON.parse(kept);
    if (Array.isArray(questions)) return questions.filter((question) => typeof question === "string");
  } catch {
    // Kept by an earlier version of the page: one question, as it was typed.
  }
  return [kept];
}

/** Keeps the questions of a conversation that the server does not have, for when the page is reloaded. */
const createKeep =
  (shelf: Shelf) =>
  (thread: Thread): void => {
    const { exchange, failed } = thread;
    const asked = exchange.peek();
    const questions = [...failed.peek(), ...(asked === null ? [] : [asked])].filter(({ taken }) => !taken);
    if (questions.length === 0) shelf.remove(shelfName(thread));
    else shelf.write(shelfName(thread), JSON.stringify(questions.map(({ question }) => question)));
  };

type Keep = ReturnType<typeof createKeep>;

/** The questions that the server does not have. */
const createHeld = (shelf: Shelf, keep: Keep): Pick<Asking, "discard" | "recall" | "reconcile"> => ({
  discard(thread, identifier) {
    thread.failed.value = thread.failed.peek().filter((one) => one.identifier !== identifier);
    keep(thread);
  },
  recall(thread) {
    if (thread.exchange.peek() !== null || thread.failed.peek().length > 0) return thread;
    const questions = readQuestions(shelf.read(shelfName(thread)));
    // Nothing of them had come, so nothing of them is kept.
    const cutOff = { state: "failed", trouble: { kind: "cutOff" } } as const;
    thread.failed.value = questions.map((question) => ({ ...createExchange(question, Infinity), ...cutOff }));
    return thread;
  },
  reconcile(thread) {
    if (thread.exchange.peek() === null) settle(thread);
    keep(thread);
  },
});

/** Why a reply ended early: the server's words, or that the connection is gone. */
interface Failed {
  readonly words?: string | null;
  readonly trouble?: Trouble | null;
}

const failureOf = (error: unknown): Failed => {
  const words = refusalOf(error);
  return words === null ? { trouble: { kind: "cutOff" } } : { words };
};

/** Notes that the server has a question, and with the first one the id of a new conversation. */
const createBegin =
  ({ shelf, begun, line }: Pick<AskingOptions, "shelf" | "begun" | "line">, keep: Keep) =>
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
    // It could not be named before.
    if (thread.exchange.peek()?.state === "stopping") line.stop(id);
  };

/** Lets go of what the server keeps, unless another question is in progress, whose answer is not over. */
function settleEnded(thread: Thread, identifier: string): void {
  const asked = thread.exchange.peek();
  if (asked === null || asked.identifier === identifier) settle(thread);
}

/** Ends questions: with their answer, or without one. */
function createEndings({ over, ...options }: Omit<AskingOptions, "isLive">, keep: Keep) {
  const ended = signal<Ended | null>(null);
  const pieces = createPieces();
  const end = async (thread: Thread, identifier: string, { words = null, trouble = null }: Failed): Promise<void> => {
    pieces.draw();
    const answer = thread.exchange.peek()?.answer ?? "";
    if (trouble !== null) fail(thread, identifier, trouble);
    await thread.load();
    // Before anything else is fetched: what the server keeps is shown now, and would be shown twice.
    settleEnded(thread, identifier);
    const found = await over(thread, words);
    // A new connection may have loaded it since.
    settleEnded(thread, identifier);
    fail(thread, identifier, found);
    keep(thread);
    ended.value = { thread, answer };
  };
  return { ended, begin: createBegin(options, keep), end, add: pieces.add };
}

/** Sends questions. `count` is the number of those in progress. */
function createSending(line: Line, { begin, end, add }: ReturnType<typeof createEndings>) {
  let running = 0;
  const send = async (thread: Thread, { identifier, question: content }: Exchange): Promise<void> => {
    running += 1;
    const asked = line.chat({ conversationId: thread.id.peek(), content }, ({ conversationId, delta }) => {
      begin(thread, conversationId);
      add(thread, delta);
    });
    const failure = await asked.then((id) => begin(thread, id), failureOf);
    running -= 1;
    await end(thread, identifier, failure ?? {});
  };
  return { send, count: () => running };
}

export function createAsking({ isLive, ...options }: AskingOptions): Asking {
  const { line, shelf } = options;
  const keep = createKeep(shelf);
  const endings = createEndings(options, keep);
  const { send, count } = createSending(line, endings);
  const ask = (thread: Thread, question: string): void => {
    const exchange = createExchange(question, knownUpTo(thread));
    thread.exchange.value = exchange;
    keep(thread);
    if (isLive()) void send(thread, exchange);
    else fail(thread, exchange.identifier, unreachable);
  };
  const stop = (thread: Thread): void => {
    change(thread, { state: "stopping" });
    const id = thread.id.peek();
    if (id !== null || count() === 1) line.stop(id);
  };
  return { ...createHeld(shelf, keep), ended: endings.ended, ask, stop };
}
