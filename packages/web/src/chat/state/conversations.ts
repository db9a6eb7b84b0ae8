import type { ConversationView } from "@telex/core";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createNewest } from "../../base/newest.ts";
import type { Server } from "../../server/server.ts";
import { type Trouble, troubleOf } from "./trouble.ts";

/** The conversations of a person, by their last use. Owns the list. */
export interface Conversations {
  /** Null until it is loaded. */
  readonly list: ReadonlySignal<readonly ConversationView[] | null>;
  readonly trouble: ReadonlySignal<Trouble | null>;
  /** True if not all conversations are loaded. */
  readonly more: ReadonlySignal<boolean>;
  /** Loads as many conversations as are already listed. Never rejects. */
  readonly load: () => Promise<void>;
  /** Loads the next page, too. Never rejects. */
  readonly loadMore: () => Promise<void>;
  /** Loads the whole list, up to 2,000 conversations. Never rejects. */
  readonly loadAll: () => Promise<void>;
  readonly find: (id: number) => ConversationView | undefined;
  /**
   * Renames, archives or unarchives a conversation immediately. A failure reverts this.
   * @throws the errors of the server
   */
  readonly amend: (id: number, change: { readonly title?: string; readonly status?: 0 | 1 }) => Promise<void>;
  /**
   * Deletes a conversation immediately. A failure reverts this.
   * @throws the errors of the server
   */
  readonly remove: (id: number) => Promise<void>;
}

type Api = Pick<Server["ai"], "conversations" | "amendConversation" | "deleteConversation">;

const pageSize = 50;
const mostPages = 40;

/** The first pages of the list, and whether there are more. */
async function fetchPages(server: Pick<Api, "conversations">, pages: number) {
  const fetched: ConversationView[] = [];
  let total = 0;
  for (let page = 1; page <= pages; page += 1) {
    const answer = await server.conversations({ page, pageSize });
    fetched.push(...answer.list);
    total = answer.total;
    if (page * pageSize >= total) break;
  }
  // A conversation can move to another page between two requests.
  return { list: [...new Map(fetched.map((each) => [each.id, each])).values()], more: total > pages * pageSize };
}

/** Applies a change immediately, and reverts it if the call fails. */
async function changeBy<T>(shown: Signal<T>, changed: T, call: () => Promise<unknown>): Promise<void> {
  const before = shown.peek();
  shown.value = changed;
  try {
    await call();
  } catch (error) {
    shown.value = before;
    throw error;
  }
}

function createList(server: Pick<Api, "conversations">) {
  const list = signal<readonly ConversationView[] | null>(null);
  const [trouble, more] = [signal<Trouble | null>(null), signal(false)];
  const ifNewest = createNewest();
  let pages = 1;
  const take = (fetched: Awaited<ReturnType<typeof fetchPages>>): void => {
    [list.value, more.value, trouble.value] = [fetched.list, fetched.more, null];
  };
  const fail = (error: unknown): void => void (trouble.value = troubleOf(error));
  const load = (): Promise<void> => ifNewest(() => fetchPages(server, pages), take, fail);
  const loadPages = (count: number): Promise<void> => {
    pages = count;
    return load();
  };
  const [loadMore, loadAll] = [() => loadPages(pages + 1), () => loadPages(mostPages)];
  return { list, trouble, more, load, loadMore, loadAll };
}

export function createConversations(server: Api): Conversations {
  const fetched = createList(server);
  const { list, load } = fetched;
  /** Loads the list after the change, because a list that was loaded during the change may not include it. */
  const change = (changed: readonly ConversationView[], call: () => Promise<unknown>): Promise<void> =>
    changeBy(list, changed, call).finally(() => void load());
  return {
    ...fetched,
    find: (id) => list.value?.find((each) => each.id === id),
    amend(id, { title, status }) {
      const amended = { ...(title === undefined ? {} : { title }), ...(status === undefined ? {} : { status }) };
      const changed = (list.peek() ?? []).map((each) => (each.id === id ? { ...each, ...amended } : each));
      return change(changed, () => server.amendConversation({ conversationId: id, ...amended }));
    },
    async remove(id) {
      const left = (list.peek() ?? []).filter((each) => each.id !== id);
      await change(left, () => server.deleteConversation({ conversationId: id }));
    },
  };
}
