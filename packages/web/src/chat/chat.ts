import type { QuotaView } from "@telex/core";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createLive, type Live } from "../live/live.ts";
import type { Frame } from "../live/socket.ts";
import type { Account } from "../session/account.ts";
import { createDrafts, type Drafts } from "../teleprinter/drafts.ts";
import { type Asking, createAsking } from "./asking.ts";
import { type Conversations, createConversations } from "./conversations.ts";
import { createLine, type Line, type Setting } from "./line.ts";
import { createThread, type Thread } from "./thread.ts";
import type { Trouble } from "./trouble.ts";

/** A model that can be asked. */
export type Model = Awaited<ReturnType<Account["server"]["ai"]["models"]>>[number];

/** The conversations of one person with models. */
export interface Chat extends Pick<Asking, "ask" | "stop" | "discard" | "ended"> {
  readonly live: Live;
  readonly conversations: Conversations;
  readonly drafts: Drafts;
  readonly quota: ReadonlySignal<QuotaView | null>;
  readonly models: ReadonlySignal<readonly Model[]>;
  /** What replies are set to. Lives with this page, and is kept nowhere. */
  readonly setting: Signal<Setting>;
  /** Sets it for this connection. Resolves to the server's reason where it refuses. */
  readonly set: (setting: Setting) => Promise<string | null>;
  /** A conversation by its id, or the one that begins. */
  readonly thread: (place: number | "new") => Thread;
  /** True while an answer in this conversation is under way. */
  readonly isAnswering: (id: number) => boolean;
  /** Lets go of a conversation that was deleted, and of what was typed for it. */
  readonly forget: (id: number) => void;
  readonly close: () => void;
}

/** What {@link createChat} needs. */
export interface ChatOptions {
  readonly account: Pick<Account, "server" | "shelf" | "openSocket" | "ended">;
  readonly window: Window;
  /** A new conversation has got its id. */
  readonly begun: (id: number) => void;
}

/** True where nothing is left in this period. */
export const isUsedUp = ({ allocationUnit, allocationMax, messageCount, tokenCount }: QuotaView): boolean =>
  (allocationUnit === "count" ? messageCount : tokenCount) >= allocationMax;

const asSet: Setting = { model: null, systemPrompt: null, maxOutputTokens: null };

interface Piece {
  readonly conversationId: number;
  readonly delta: string;
}

/** Hears of the network, for as long as it is not closed. */
function followNetwork(window: Window, live: Live): () => void {
  const listening = new AbortController();
  const { signal: listens } = listening;
  const isSeen = (): boolean => window.document.visibilityState === "visible";
  window.addEventListener("online", live.check, { signal: listens });
  window.addEventListener("offline", live.drop, { signal: listens });
  window.document.addEventListener("visibilitychange", () => isSeen() && live.check(), { signal: listens });
  return () => listening.abort();
}

/** The conversations that are or were looked at. */
function createThreads(server: Account["server"]["ai"]) {
  const threads = new Map<number | "new", Thread>();
  const of = (place: number | "new"): Thread => {
    const known = threads.get(place) ?? createThread(place === "new" ? null : place, server.conversationMessages);
    threads.set(place, known);
    return known;
  };
  const name = (thread: Thread, id: number): void => {
    threads.delete("new");
    threads.set(id, thread);
  };
  const isAnswering = (id: number): boolean => {
    const exchange = threads.get(id)?.exchange.value ?? null;
    return exchange !== null && exchange.state !== "failed";
  };
  return { of, name, isAnswering, forget: (id: number) => threads.delete(id), all: () => [...threads.values()] };
}

/** Takes what the server tells on the connection. */
const createReceiver =
  (line: Line, asking: Asking) =>
  ({ type, identifier, data, msg }: Frame): void => {
    const refusal = type === "OperationFailed" ? String(msg) : null;
    if (line.receive(identifier, refusal)) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `type` says what `data` is
    const { conversationId, delta } = (data ?? {}) as Piece;
    if (type === "ChatDelta") asking.delta(identifier, conversationId, delta);
    else if (type === "ChatResult") asking.result(identifier, conversationId);
    else if (refusal !== null) asking.fail(identifier, refusal);
  };

/** What is asked of the server besides the conversations. */
function createAllowance(server: Account["server"]["ai"]) {
  const quota = signal<QuotaView | null>(null);
  const models = signal<readonly Model[]>([]);
  return {
    quota,
    models,
    async load(): Promise<void> {
      [quota.value, models.value] = await Promise.all([server.quota(), server.models()]);
    },
    async loadQuota(): Promise<void> {
      quota.value = await server.quota();
    },
    /** What it means that the server refused to answer. */
    meaningOf(words: string): Trouble {
      const left = quota.peek();
      return left !== null && isUsedUp(left) ? { kind: "quotaUsedUp" } : { kind: "refused", words };
    },
  };
}

interface Connecting extends Pick<ChatOptions, "account" | "window"> {
  readonly line: Line;
  readonly asking: Asking;
}

/** Opens the chat socket, and opens it again for as long as it is not closed. */
function connect({ account, window, line, asking }: Connecting, catchUp: () => Promise<void>) {
  const live = createLive({
    open: () => line.use(account.openSocket("sseStream")),
    receive: createReceiver(line, asking),
    hasNetwork: () => window.navigator.onLine,
    ended: account.ended,
    catchUp,
  });
  live.state.subscribe((state) => {
    if (state !== "offline") return;
    line.lose();
    asking.cutOff();
  });
  const unfollow = followNetwork(window, live);
  const close = (): void => {
    unfollow();
    live.close();
  };
  return { live, close };
}

/** Connects the page of conversations. */
export function createChat({ account, window, begun }: ChatOptions): Chat {
  const server = account.server.ai;
  const conversations = createConversations(server);
  const threads = createThreads(server);
  const allowance = createAllowance(server);
  const setting = signal(asSet);
  const line = createLine();
  const shelf = account.shelf.folder("asked");

  /** Fetches what a reply has changed, and finds out what was wrong where the server refused it. */
  const over = async (thread: Thread, words: string | null): Promise<Trouble | null> => {
    await Promise.all([allowance.loadQuota().catch(() => {}), conversations.load(), thread.load()]);
    if (words === null) return null;
    if (thread.trouble.peek()?.kind === "gone") return { kind: "gone" };
    return allowance.meaningOf(words);
  };
  const asking = createAsking({
    line,
    shelf,
    over,
    isLive: () => live.state.value === "live",
    begun(thread, id) {
      threads.name(thread, id);
      begun(id);
      void conversations.load();
    },
  });
  const { live, close } = connect({ account, window, line, asking }, async () => {
    if (setting.peek() !== asSet) await line.set(setting.peek());
    await Promise.all([allowance.load(), conversations.load(), ...threads.all().map((thread) => thread.load())]);
    threads.all().forEach(asking.reconcile);
  });
  const drafts = createDrafts(account.shelf.folder("question"));
  return {
    ...asking,
    live,
    conversations,
    drafts,
    quota: allowance.quota,
    models: allowance.models,
    setting,
    async set(next) {
      const refusal = live.state.peek() === "live" ? await line.set(next) : null;
      if (refusal === null) setting.value = next;
      return refusal;
    },
    thread(place) {
      const thread = threads.of(place);
      asking.recall(thread);
      return thread;
    },
    isAnswering: threads.isAnswering,
    forget(id) {
      threads.forget(id);
      drafts.of(String(id)).value = "";
      shelf.remove(String(id));
    },
    close,
  };
}
