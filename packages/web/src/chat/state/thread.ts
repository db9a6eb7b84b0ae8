import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createAttempts } from "../../base/attempts.ts";
import type { Server } from "../../server/server.ts";
import type { Extras, ToolRequest } from "./commands.ts";
import { type Trouble, troubleOf } from "./trouble.ts";

/** One message of a conversation, as the server keeps it. */
export type Message = Awaited<ReturnType<Server["ai"]["conversationMessages"]>>["messages"][number];

/** A question that is not kept by the server yet, and as much of its answer as has come. */
export interface Exchange extends Extras {
  /** True once the server has the question. */
  readonly taken: boolean;
  /** Tells it from the next question of the same conversation. */
  readonly identifier: string;
  readonly question: string;
  /** The newest id that the server had kept before it was asked; what it keeps of it has a larger one. */
  readonly since: number;
  readonly answer: string;
  /** The calls of tools that wait for a permission. */
  readonly requests: readonly ToolRequest[];
  readonly state: "asking" | "answering" | "stopping" | "failed";
  readonly trouble: Trouble | null;
}

/** A stored question that the person is editing. */
export interface Editing {
  readonly id: number;
  /** The words that the editor begins with. */
  readonly words: string;
  /** The identifier of the edit that failed and goes on here. It stays until this one is asked. */
  readonly failed?: string;
}

/** A conversation that is or was looked at. */
export interface Thread {
  /** Null until the first piece of its first answer. */
  readonly id: Signal<number | null>;
  /** The stored messages, oldest first; null until they are loaded. */
  readonly messages: ReadonlySignal<readonly Message[] | null>;
  /** True while older messages may be fetched. */
  readonly more: ReadonlySignal<boolean>;
  readonly loading: ReadonlySignal<boolean>;
  readonly trouble: ReadonlySignal<Trouble | null>;
  /** The question that is in progress. */
  readonly exchange: Signal<Exchange | null>;
  /** The questions that failed, oldest first: each stays until it is sent or discarded. */
  readonly failed: Signal<readonly Exchange[]>;
  /** Null while no question is being edited. */
  readonly editing: Signal<Editing | null>;
  /** Fetches the newest messages. Never throws: a failure becomes `trouble`. */
  readonly load: () => Promise<void>;
  /** Fetches older messages. Never throws. */
  readonly loadOlder: () => Promise<void>;
  /** Fetches older messages until this one is known, if it is still there. Never throws. */
  readonly reach: (messageId: number) => Promise<void>;
}

const pageSize = 40;
/** Of a page on the way to an older message. */
const longPage = 100;

/** The newest id that the server keeps. */
const newestOf = (messages: readonly Message[] | null): number => messages?.at(-1)?.id ?? 0;

/** The messages that are known: the newest, and as many before them as were fetched. */
function createKnown(first: readonly Message[] | null) {
  const messages = signal(first);
  const cursor = signal<string | null>(null);
  /** Joins the newest messages to the known ones. If they do not overlap, because the conversation went on elsewhere, they replace the known ones. */
  const takeNewest = (fetched: readonly Message[], next: string | null): void => {
    const existing = messages.peek() ?? [];
    const joins = fetched.some((message) => message.id <= newestOf(existing));
    const older = joins ? existing.filter((message) => message.id < (fetched[0]?.id ?? 0)) : [];
    messages.value = [...older, ...fetched];
    if (!joins) cursor.value = next;
  };
  const takeOlder = (fetched: readonly Message[], next: string | null): void => {
    [messages.value, cursor.value] = [[...fetched, ...(messages.peek() ?? [])], next];
  };
  return { messages, cursor, more: computed(() => cursor.value !== null), takeNewest, takeOlder };
}

/** Fetches the newest messages, and older pages. */
function createFetching(
  { messages, cursor, takeNewest, takeOlder }: ReturnType<typeof createKnown>,
  page: Server["ai"]["conversationMessages"],
) {
  const newest = async (conversationId: number): Promise<void> => {
    const fetched = await page({ conversationId, pageSize });
    batch(() => takeNewest(fetched.messages.toReversed(), fetched.nextPageCursor));
  };
  const older = async (conversationId: number, size = pageSize): Promise<void> => {
    const before = cursor.peek();
    if (before === null) return;
    const fetched = await page({ conversationId, pageSize: size, cursor: Number(before) });
    batch(() => takeOlder(fetched.messages.toReversed(), fetched.nextPageCursor));
  };
  const upTo = async (conversationId: number, messageId: number): Promise<void> => {
    if (messages.peek() === null) await newest(conversationId);
    while (cursor.peek() !== null && (messages.peek()?.[0]?.id ?? 0) > messageId) await older(conversationId, longPage);
  };
  return { newest, older, upTo };
}

/** A conversation of this id, or one that begins. */
export function createThread(first: number | null, page: Server["ai"]["conversationMessages"]): Thread {
  const [id, exchange, failed] = [signal(first), signal<Exchange | null>(null), signal<readonly Exchange[]>([])];
  const known = createKnown(first === null ? [] : null);
  const { newest, older, upTo } = createFetching(known, page);
  const { loading, problem: trouble, attempt } = createAttempts(troubleOf);
  const withId = async (work: (conversationId: number) => Promise<void>): Promise<void> => {
    const conversationId = id.peek();
    if (conversationId !== null) await attempt(() => work(conversationId));
  };
  const { messages, more } = known;
  const [load, loadOlder] = [() => withId(newest), () => withId(older)];
  const reach = (messageId: number): Promise<void> => withId((conversationId) => upTo(conversationId, messageId));
  const editing = signal<Editing | null>(null);
  return { id, messages, more, loading, trouble, exchange, failed, editing, load, loadOlder, reach };
}

const isQuestionOf = ({ id, role, content }: Message, { question, since }: Exchange): boolean =>
  role === "user" && content === question && id > since;

/** Lets go of the questions that the server keeps by now, since their answers are over. */
export function settle({ messages, exchange, failed }: Thread): void {
  const isKept = (question: Exchange): boolean =>
    (messages.peek() ?? []).some((message) => isQuestionOf(message, question));
  const current = exchange.peek();
  batch(() => {
    if (current !== null && isKept(current)) exchange.value = null;
    if (failed.peek().some(isKept)) failed.value = failed.peek().filter((one) => !isKept(one));
  });
}

/** Marks a question as failed, if it is the one in progress. The server does not store it. */
export function fail({ exchange, failed }: Thread, identifier: string, trouble: Trouble | null): void {
  const current = exchange.peek();
  if (current?.identifier !== identifier) return;
  batch(() => {
    exchange.value = null;
    failed.value = [...failed.peek(), { ...current, state: "failed", trouble }];
  });
}

/** The newest id that the server keeps of a conversation, as far as is known. */
export const knownUpTo = ({ messages }: Thread): number => newestOf(messages.peek());
