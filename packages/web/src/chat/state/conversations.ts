import type { ConversationView } from "@telex/core";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createNewest } from "../../base/newest.ts";
import type { Server } from "../../server/server.ts";
import { type Trouble, troubleOf } from "./trouble.ts";

/** The conversations of a person, the last used first. Owns the list. */
export interface Conversations {
  /** Null until it is loaded. */
  readonly list: ReadonlySignal<readonly ConversationView[] | null>;
  readonly trouble: ReadonlySignal<Trouble | null>;
  /** True while there are more than were fetched. */
  readonly more: ReadonlySignal<boolean>;
  /** Fetches the list, as long as it was. Never throws. */
  readonly load: () => Promise<void>;
  /** Fetches the next page as well. Never throws. */
  readonly loadMore: () => Promise<void>;
  /** Fetches the whole list, of at most 2,000. Never throws. */
  readonly loadAll: () => Promise<void>;
  readonly find: (id: number) => ConversationView | undefined;
  /** Renames, archives or makes active again, immediately; undone if the server rejects it. @throws what the call throws */
  readonly amend: (id: number, change: { readonly title?: string; readonly status?: 0 | 1 }) => Promise<void>;
  /** Deletes immediately; undone if the server rejects it. @throws what the call throws */
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
  // A conversation can move to another page between two fetches.
  return { list: [...new Map(fetched.map((each) => [each.id, each])).values()], more: total > pages * pageSize };
}

/** Shows a change immediately, and undoes it if the call fails. */
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

/** The list as far as it is fetched. */
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

/** No conversations are known yet. */
export function createConversations(server: Api): Conversations {
  const fetched = createList(server);
  const { list, load } = fetched;
  /** Fetches the list after the change, too: a list that was fetched during the change may lack it. */
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
