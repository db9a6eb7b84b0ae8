import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createAttempts } from "../../base/attempts.ts";
import type { Server } from "../../server/server.ts";
import type { Extras, ToolRequest } from "./commands.ts";
import { type Trouble, troubleOf } from "./trouble.ts";

/** A stored message of a conversation. */
export type Message = Awaited<ReturnType<Server["ai"]["conversationMessages"]>>["messages"][number];

/** A question that the server has not stored yet, and the part of its answer that has arrived. */
export interface Exchange extends Extras {
  /** True once the server has the question. */
  readonly taken: boolean;
  /** Distinguishes it from other questions of the conversation. */
  readonly identifier: string;
  readonly question: string;
  /** The newest stored ID before the question was asked. Its own stored messages have higher IDs. */
  readonly since: number;
  readonly answer: string;
  /** Tool calls that wait for permission. */
  readonly requests: readonly ToolRequest[];
  readonly state: "asking" | "answering" | "stopping" | "failed";
  readonly trouble: Trouble | null;
}

/** A stored question that the person is editing. */
export interface Editing {
  readonly id: number;
  /** The initial text of the editor. */
  readonly words: string;
  /** The identifier of the failed edit that continues here. It is kept until this edit is asked. */
  readonly failed?: string;
}

/** A conversation that was opened. */
export interface Thread {
  /** Null until the first piece of its first answer arrives. */
  readonly id: Signal<number | null>;
  /** The stored messages, oldest first; null until they are loaded. */
  readonly messages: ReadonlySignal<readonly Message[] | null>;
  /** True if there may be older messages. */
  readonly more: ReadonlySignal<boolean>;
  readonly loading: ReadonlySignal<boolean>;
  readonly trouble: ReadonlySignal<Trouble | null>;
  /** The question in progress. */
  readonly exchange: Signal<Exchange | null>;
  /** The failed questions, oldest first. Each is kept until it is sent again or discarded. */
  readonly failed: Signal<readonly Exchange[]>;
  /** Null if no question is being edited. */
  readonly editing: Signal<Editing | null>;
  /** Fetches the newest messages. Never rejects; a failure is stored in `trouble`. */
  readonly load: () => Promise<void>;
  /** Fetches older messages. Never rejects. */
  readonly loadOlder: () => Promise<void>;
  /** Fetches older messages until this one is loaded, if it exists. Never rejects. */
  readonly reach: (messageId: number) => Promise<void>;
}

const pageSize = 40;
/** Messages per page on the way to an older message. */
const longPage = 100;

/** The ID of the newest stored message. */
const newestOf = (messages: readonly Message[] | null): number => messages?.at(-1)?.id ?? 0;

/** The loaded messages, without gaps up to the newest. */
function createKnown(first: readonly Message[] | null) {
  const messages = signal(first);
  const cursor = signal<string | null>(null);
  /** Merges the newest messages. If they do not overlap with the loaded ones, because the conversation continued elsewhere, they replace them. */
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

/** A conversation with this ID, or a new one. */
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

/** Removes questions that the server has stored, because their answers are complete. */
export function settle({ messages, exchange, failed }: Thread): void {
  const isKept = (question: Exchange): boolean =>
    (messages.peek() ?? []).some((message) => isQuestionOf(message, question));
  const current = exchange.peek();
  batch(() => {
    if (current !== null && isKept(current)) exchange.value = null;
    if (failed.peek().some(isKept)) failed.value = failed.peek().filter((one) => !isKept(one));
  });
}

/** Marks the question in progress as failed, if it has this identifier. The server does not store it. */
export function fail({ exchange, failed }: Thread, identifier: string, trouble: Trouble | null): void {
  const current = exchange.peek();
  if (current?.identifier !== identifier) return;
  batch(() => {
    exchange.value = null;
    failed.value = [...failed.peek(), { ...current, state: "failed", trouble }];
  });
}

/** The newest loaded ID of a conversation. */
export const knownUpTo = ({ messages }: Thread): number => newestOf(messages.peek());
