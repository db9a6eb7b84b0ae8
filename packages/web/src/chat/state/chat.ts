import type { QuotaView } from "@telex/core";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Caller } from "@telex/ws/client";
import type { Live } from "../../server/live.ts";
import { connectLive } from "../../server/network.ts";
import { usedOf } from "../../base/quota.ts";
import type { Account } from "../../app/account.ts";
import type { Shelf } from "../../base/shelf.ts";
import { createDrafts, type Drafts } from "../../outbox/drafts.ts";
import { createAsking } from "./asking.ts";
import type { Asking } from "./exchange.ts";
import { type Conversations, createConversations } from "./conversations.ts";
import { createCommands, set, type Setting } from "./commands.ts";
import { createThread, type Thread } from "./thread.ts";
import type { Trouble } from "./trouble.ts";

type Model = Awaited<ReturnType<Account["server"]["ai"]["models"]>>[number];

/** The AI conversations of one person. */
export interface Chat extends Pick<Asking, "ask" | "stop" | "permit" | "discard" | "ended"> {
  readonly live: Live;
  readonly conversations: Conversations;
  readonly drafts: Drafts;
  readonly quota: ReadonlySignal<QuotaView | null>;
  readonly models: ReadonlySignal<readonly Model[]>;
  /** The settings of replies, which last as long as the page. */
  readonly setting: Signal<Setting>;
  /** Applies settings to this connection. Resolves with the error message if the server rejects them. */
  readonly set: (setting: Setting) => Promise<string | null>;
  /** A conversation by its ID, or a new one. */
  readonly thread: (key: number | "new") => Thread;
  /** True while a reply in this conversation is in progress. */
  readonly isAnswering: (id: number) => boolean;
  /** Removes a deleted conversation and its draft. */
  readonly forget: (id: number) => void;
  readonly close: () => void;
}

interface ChatOptions {
  readonly account: Pick<Account, "server" | "shelf" | "sockets" | "ended">;
  readonly window: Window;
  /** Called when a new conversation has its ID. */
  readonly begun: (id: number) => void;
}

/** True if the quota of this period is used up. */
export const isUsedUp = (quota: QuotaView): boolean => usedOf(quota) >= quota.allocationMax;

const asSet: Setting = { model: null, systemPrompt: null, maxOutputTokens: null };

/** The conversations that were opened. */
function createThreads(server: Account["server"]["ai"]) {
  const threads = new Map<number | "new", Thread>();
  const of = (key: number | "new"): Thread => {
    const thread = threads.get(key) ?? createThread(key === "new" ? null : key, server.conversationMessages);
    threads.set(key, thread);
    return thread;
  };
  const name = (thread: Thread, id: number): void => {
    threads.delete("new");
    threads.set(id, thread);
  };
  const isAnswering = (id: number): boolean => (threads.get(id)?.exchange.value ?? null) !== null;
  return { of, name, isAnswering, forget: (id: number) => threads.delete(id), all: () => [...threads.values()] };
}

const meaningOf = (words: string, quota: QuotaView | null): Trouble =>
  quota !== null && isUsedUp(quota) ? { kind: "quotaUsedUp" } : { kind: "refused", words };

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
    /** Maps an error message of the server to a kind of trouble. */
    meaningOf: (words: string): Trouble => meaningOf(words, quota.peek()),
  };
}

/** The settings of replies. They are applied to this connection and to each later one. */
function createSetting(live: () => Pick<Live, "state"> & Caller<"chat">) {
  const setting = signal(asSet);
  return {
    setting,
    restore: async (connection: Caller<"chat">): Promise<void> => {
      if (setting.peek() !== asSet) await set(connection, setting.peek());
    },
    set: async (next: Setting): Promise<string | null> => {
      const refusal = live().state.peek() === "live" ? await set(live(), next) : null;
      if (refusal === null) setting.value = next;
      return refusal;
    },
  };
}

/** The loaded conversations, quota and models. */
interface Known {
  readonly conversations: Conversations;
  readonly threads: ReturnType<typeof createThreads>;
  readonly allowance: ReturnType<typeof createAllowance>;
}

/** Fetches the data that a reply has changed. If the server rejected the question, finds the cause. */
async function over(known: Known, thread: Thread, words: string | null): Promise<Trouble | null> {
  await Promise.all([known.allowance.loadQuota().catch(() => {}), known.conversations.load()]);
  if (words === null) return null;
  if (thread.trouble.peek()?.kind === "gone") return { kind: "gone" };
  return known.allowance.meaningOf(words);
}

/** Fetches all data of the page. */
async function loadAll({ conversations, threads, allowance }: Known): Promise<void> {
  await Promise.all([allowance.load(), conversations.load(), ...threads.all().map((thread) => thread.load())]);
}

interface AskingDeps {
  readonly known: Known;
  readonly live: () => Live & Caller<"chat">;
  readonly shelf: Shelf;
  readonly begun: ChatOptions["begun"];
}

/** Asks questions in the conversations. The first answer gives a new conversation its ID. */
const createChatAsking = ({ known, live, shelf, begun }: AskingDeps): Asking =>
  createAsking({
    commands: createCommands(live),
    shelf,
    over: (thread, words) => over(known, thread, words),
    isLive: () => live().state.value === "live",
    begun(thread, id) {
      known.threads.name(thread, id);
      begun(id);
      void known.conversations.load();
    },
  });

/** Connects to the server. Fetches all data of the page after each connection. */
const connectChat = (
  { account, window }: ChatOptions,
  { known, restore, asking }: { known: Known; restore: (connection: Caller<"chat">) => Promise<void>; asking: Asking },
) =>
  connectLive(account, window, {
    channel: "chat",
    receive: () => {},
    async catchUp(connection) {
      await restore(connection);
      await loadAll(known);
      known.threads.all().forEach(asking.reconcile);
    },
  });

const createKnown = (server: Account["server"]["ai"]): Known => ({
  conversations: createConversations(server),
  threads: createThreads(server),
  allowance: createAllowance(server),
});

export function createChat(options: ChatOptions): Chat {
  const { account, begun } = options;
  const known = createKnown(account.server.ai);
  const { conversations, threads, allowance } = known;
  const shelf = account.shelf.folder("asked");
  const drafts = createDrafts(account.shelf.folder("question"));
  const { restore, ...setting } = createSetting(() => live);
  const asking = createChatAsking({ known, live: () => live, shelf, begun });
  const live = connectChat(options, { known, restore, asking });
  const thread = (key: number | "new"): Thread => asking.recall(threads.of(key));
  const forget = (id: number): void => {
    threads.forget(id);
    drafts.of(String(id)).value = "";
    shelf.remove(String(id));
  };
  const { quota, models } = allowance;
  const { isAnswering } = threads;
  const { close } = live;
  return { ...asking, ...setting, live, conversations, drafts, quota, models, thread, isAnswering, forget, close };
}
