import type { z } from "zod";
import { createPace } from "@telex/ground/concurrency";
import { type CallContext, maxId } from "@telex/ground/contract";
import type { Zone } from "@telex/ground/time";
import type { Excerpt, ExcerptSearch, SearchReader } from "@telex/search-terms";
import type { AiContract } from "./contract.ts";
import type { AiStore } from "./store.ts";

export interface ConversationSearchDeps {
  readonly store: Pick<AiStore, "pageConversations" | "pageTurns">;
  readonly search: SearchReader;
  readonly zone: Zone;
}

/** Conversations, and messages, that are read together. */
const chunk = 20;
/** The work of one page, of a call in the rate of the caller, and of a tick: UTF-16 units that are read. */
const [workOfPage, workOfCharge, workOfTick] = [200_000, 32_768, 16_384];
/** The work of fetching a conversation, or further messages of it. */
const workOfFetch = 500;

/** The messages of a user below a place, chunk by chunk: the newest conversation first, and its newest message first. */
async function* messagesBelow({ store }: ConversationSearchDeps, userId: number, conversationId: number, id: number) {
  for (let before = conversationId + 1; ;) {
    const conversations = await store.pageConversations({ userId, before, limit: chunk });
    for (const conversation of conversations) {
      before = conversation.id;
      let below = before === conversationId ? id : maxId;
      for (let more = true; more;) {
        const page = await store.pageTurns({ conversationId: before, userId, before: below, limit: chunk });
        const messages = page?.messages ?? [];
        [more, below] = [page?.more ?? false, messages.at(-1)?.id ?? 0];
        yield { conversation, messages };
      }
    }
    if (conversations.length < chunk) return;
  }
}

/** A page as far as it is read. */
interface Page {
  readonly list: z.output<AiContract["searchConversations"]["output"]>["list"];
  work: number;
  /** The place of the message that was read last; null at the end. */
  next: string | null;
}

async function readAll(search: ExcerptSearch, count: (work: number) => Promise<void>): Promise<Excerpt | null> {
  for (;;) {
    const { done, value } = search.next();
    if (done === true) return value;
    await count(value);
  }
}

async function readPage(
  deps: ConversationSearchDeps,
  userId: number,
  { q, cursor = `${maxId - 1}.${maxId}`, pageSize }: z.output<AiContract["searchConversations"]["input"]>,
  signal: AbortSignal | undefined,
): Promise<Page> {
  const page: Page = { list: [], work: 0, next: null };
  const words = deps.search.words(q);
  if (words.length === 0) return page;
  const pace = createPace(workOfTick);
  const count = (work: number): Promise<void> => {
    page.work += work;
    return pace(work);
  };
  const isFull = (): boolean => page.list.length === pageSize || page.work >= workOfPage || signal?.aborted === true;
  const [from = 0, below = 0] = cursor.split(".").map(Number);
  for await (const { conversation, messages } of messagesBelow(deps, userId, from, below)) {
    const { id: conversationId, title } = conversation;
    await count(workOfFetch);
    page.next = `${conversationId}.0`;
    for (const { id, role, content, createdAt } of messages) {
      const excerpt = await readAll(deps.search.excerpt(content, words), count);
      const about = { conversationId, title, messageId: id, role, createdAt: deps.zone.format(createdAt) };
      if (excerpt !== null) page.list.push({ ...about, excerpt: excerpt.text, matches: [...excerpt.matches] });
      page.next = `${conversationId}.${id}`;
      if (isFull()) return page;
    }
    if (isFull()) return page;
  }
  return { ...page, next: null };
}

/** Finds questions and replies of the caller. One page is a bounded amount of work, however many conversations there are. */
export async function searchConversations(
  deps: ConversationSearchDeps,
  userId: number,
  input: z.output<AiContract["searchConversations"]["input"]>,
  context: CallContext,
): Promise<z.output<AiContract["searchConversations"]["output"]>> {
  const { list, work, next } = await readPage(deps, userId, input, context.signal);
  context.charge?.(Math.floor(work / workOfCharge));
  return { list, nextCursor: next };
}
