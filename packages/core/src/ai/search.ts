import type { z } from "zod";
import { createPace } from "@telex/ground/concurrency";
import { type CallContext, maxId } from "@telex/ground/contract";
import type { Zone } from "@telex/ground/time";
import type { Excerpt, ExcerptSearch, QueryWord, SearchReader } from "@telex/search-terms";
import type { AiContract } from "./contract.ts";
import type { ConversationMessageRecord, ConversationRecord } from "../records/ai.ts";
import type { AiStore, ConversationKey } from "./store.ts";

type SearchInput = z.output<AiContract["searchConversations"]["input"]>;
type SearchOutput = z.output<AiContract["searchConversations"]["output"]>;

export interface ConversationSearchDeps {
  readonly store: Pick<AiStore, "pageConversations" | "pageTurns">;
  readonly search: SearchReader;
  readonly zone: Zone;
}

/** Conversations, and messages, that are read together. */
const chunk = 20;
/** The UTF-16 units that are read for one page, for one call in the caller's rate, and in one tick. */
const [workOfPage, workOfCharge, workOfTick] = [200_000, 32_768, 16_384];
/** The cost of fetching a conversation, or further messages of it, in the same units. */
const workOfFetch = 500;

/** The messages of a conversation below an id, chunk by chunk; one chunk at least. */
async function* chunksOf(store: ConversationSearchDeps["store"], key: ConversationKey, below: number) {
  for (let [before, more] = [below, true]; more;) {
    const page = await store.pageTurns({ ...key, before, limit: chunk });
    const messages = page?.messages ?? [];
    [before, more] = [messages.at(-1)?.id ?? 0, page?.more ?? false];
    yield messages;
  }
}

/** The messages of a user below a position, chunk by chunk: the newest conversation first, and its newest message first. */
async function* messagesBelow(store: ConversationSearchDeps["store"], userId: number, from: number, id: number) {
  for (let [before, isMore] = [from + 1, true]; isMore;) {
    const conversations = await store.pageConversations({ userId, before, limit: chunk });
    for (const conversation of conversations) {
      const key = { conversationId: conversation.id, userId };
      for await (const messages of chunksOf(store, key, key.conversationId === from ? id : maxId))
        yield { conversation, messages };
    }
    [before, isMore] = [conversations.at(-1)?.id ?? 0, conversations.length === chunk];
  }
}

/** A page while it is read. */
interface Page {
  readonly words: readonly QueryWord[];
  readonly list: SearchOutput["list"];
  work: number;
  /** Counts work, and lets other callers run in between. */
  readonly count: (work: number) => Promise<void>;
}

function createPage(words: readonly QueryWord[]): Page {
  const pace = createPace(workOfTick);
  const page: Page = {
    words,
    list: [],
    work: 0,
    count: (work) => {
      page.work += work;
      return pace(work);
    },
  };
  return page;
}

async function readAll(search: ExcerptSearch, { count }: Page): Promise<Excerpt | null> {
  let step = search.next();
  for (; step.done !== true; step = search.next()) await count(step.value);
  return step.value;
}

async function readMessage(
  { search, zone }: ConversationSearchDeps,
  page: Page,
  { id: conversationId, title }: ConversationRecord,
  { id: messageId, role, content, createdAt }: ConversationMessageRecord,
): Promise<void> {
  const excerpt = await readAll(search.excerpt(content, page.words), page);
  if (excerpt === null) return;
  const about = { conversationId, title, messageId, role, createdAt: zone.format(createdAt) };
  page.list.push({ ...about, excerpt: excerpt.text, matches: [...excerpt.matches] });
}

/** Reads until the page is full, or has reached its budget. Returns the position of the last message that was read; null at the end. */
async function readPage(
  deps: ConversationSearchDeps,
  page: Page,
  messages: ReturnType<typeof messagesBelow>,
  isOver: () => boolean,
): Promise<string | null> {
  for await (const { conversation, messages: some } of messages) {
    await page.count(workOfFetch);
    for (const message of some) {
      await readMessage(deps, page, conversation, message);
      if (isOver()) return `${conversation.id}.${message.id}`;
    }
    if (isOver()) return `${conversation.id}.${some.at(-1)?.id ?? 0}`;
  }
  return null;
}

/** Finds questions and replies of the caller. One page is a bounded amount of work, however many conversations there are. */
export async function searchConversations(
  deps: ConversationSearchDeps,
  userId: number,
  { q, cursor = `${maxId - 1}.${maxId}`, pageSize }: SearchInput,
  context: CallContext,
): Promise<SearchOutput> {
  const page = createPage(deps.search.words(q));
  if (page.words.length === 0) return { list: [], nextCursor: null };
  const [from = 0, below = 0] = cursor.split(".").map(Number);
  const isOver = (): boolean =>
    page.list.length === pageSize || page.work >= workOfPage || context.signal?.aborted === true;
  const nextCursor = await readPage(deps, page, messagesBelow(deps.store, userId, from, below), isOver);
  context.charge?.(Math.floor(page.work / workOfCharge));
  return { list: page.list, nextCursor };
}
