import type { z } from "zod";
import type { RoomsOfMessages } from "../rooms.ts";
import type { MessagesContract } from "../contract.ts";
import { isNotice, type MessageRecord } from "../../records/messages.ts";
import type { ShowMessage } from "../view.ts";
import {
  type Finding,
  joinMatches,
  type MessageMatch,
  type QueryWord,
  type SearchReader,
  senderTerm,
  type Spelling,
} from "@telex/search-terms";
import { createPace, nextTick } from "@telex/ground/concurrency";
import type { TokenHolder, CallContext } from "@telex/ground/contract";
import type { MessageSearch, MessageSearchStore, MessagesFound } from "./store.ts";

export interface SearchDeps {
  readonly store: MessageSearchStore;
  readonly listGroupsOf: (userId: number) => Promise<readonly number[]>;
  readonly rooms: Pick<RoomsOfMessages, "find" | "enter">;
  readonly search: SearchReader;
  readonly show: ShowMessage;
}

type SearchInput = z.output<MessagesContract["search"]["input"]>;
type SearchOutput = z.output<MessagesContract["search"]["output"]>;

const mostCalls = 2;
/** UTF-16 units of stored texts in which one page of a room looks for a word. What was read last is read to its end. */
const textOfPage = 100_000;
/** The additional calls for each room, and the largest number of rooms: the newest messages of many have no terms. */
const textOfRoom = 2000;
const mostRooms = 200;
/** The rooms, and UTF-16 units of texts, that a page may read for each further call in the caller's rate. */
const roomsOfCharge = 50;
const textOfCharge = 32_768;
const textOfTick = 16_384;
/** Steps of a match that count as one unit of text: a long word may begin at each of its characters. */
const stepsOfUnit = 4;

async function searchedRooms(
  deps: SearchDeps,
  userId: number,
  groupId: number | undefined,
): Promise<readonly number[]> {
  if (groupId === undefined) return deps.listGroupsOf(userId);
  await deps.rooms.enter({ groupId, userId });
  return [groupId];
}

function senderOf(userId: string): { readonly userId: string; readonly external: boolean } {
  const external = userId.startsWith("ext:");
  return { userId: external ? userId.slice(4) : userId, external };
}

/** The messages found for a page, and the start of the next page. */
interface Page {
  readonly pace: (work: number) => Promise<void>;
  readonly mostText: number;
  readonly found: { readonly record: MessageRecord; readonly matches: readonly MessageMatch[] }[];
  next: number | null;
  text: number;
  calls: number;
  isComplete: boolean;
}

interface PageAsked {
  readonly words: readonly QueryWord[];
  readonly sender: ReturnType<typeof senderOf> | null;
  readonly pageSize: number;
}

/** Looks for one word. What other callers wait for comes in between. */
async function findIn(page: Page, finding: Finding<MessageMatch>): Promise<readonly MessageMatch[]> {
  for (;;) {
    const { done, value } = finding.next();
    if (done === true) return value;
    const work = value / stepsOfUnit;
    page.text += work;
    await page.pace(work);
  }
}

/** The places of the words in a message. None unless it contains all of them. */
async function match(
  { search }: SearchDeps,
  page: Page,
  { words }: PageAsked,
  record: MessageRecord,
): Promise<readonly MessageMatch[]> {
  const { length } = record.content;
  await page.pace(length);
  const find = search.open(record);
  const ofWords: (readonly MessageMatch[])[] = [];
  for (const word of words) {
    page.text += length;
    if (ofWords.length > 0) await page.pace(length);
    const matches = await findIn(page, find(word));
    ofWords.push(matches);
    if (matches.length === 0) break;
  }
  return joinMatches(ofWords);
}

/** Reads what the store has found. False when the page is full, or has read enough. */
async function readFound(
  deps: SearchDeps,
  page: Page,
  query: PageAsked,
  { messages, next }: MessagesFound,
): Promise<boolean> {
  const { sender, pageSize } = query;
  for (const record of messages.filter((message) => !isNotice(message))) {
    const isSender = sender === null || (record.userId === sender.userId && record.external === sender.external);
    const matches = isSender ? await match(deps, page, query, record) : [];
    if (matches.length > 0) page.found.push({ record, matches });
    if (page.found.length < pageSize && page.text < page.mostText) continue;
    page.next = record === messages.at(-1) ? next : record.id;
    return false;
  }
  page.next = next;
  return next !== null;
}

async function readPage(
  deps: SearchDeps,
  query: PageAsked,
  search: MessageSearch,
  { signal }: CallContext,
): Promise<Page> {
  const page: Page = {
    pace: createPace(textOfTick),
    mostText: textOfPage + Math.min(search.groupIds.length, mostRooms) * textOfRoom,
    found: [],
    next: search.before,
    text: 0,
    calls: 0,
    isComplete: true,
  };
  for (let isMore = true; isMore && page.calls < mostCalls; page.calls += 1) {
    // Other callers get their turn in between.
    if (page.calls > 0) await nextTick();
    const batch = await deps.store.search({ ...search, before: page.next });
    page.isComplete &&= batch.isComplete;
    isMore = (await readFound(deps, page, query, batch)) && signal?.aborted !== true;
  }
  return page;
}

/** The cost of a page in calls of its caller: 0 for a few rooms with short texts. */
const costOf = ({ calls, text }: Page, rooms: number): number =>
  Math.floor((calls * rooms) / roomsOfCharge + text / textOfCharge);

/** Shows the matches, unless the caller has left the room since. */
async function show(deps: SearchDeps, userId: number, { found }: Page): Promise<SearchOutput["list"]> {
  const list: SearchOutput["list"] = [];
  for (const { record, matches } of found) {
    const room = await deps.rooms.find(record.groupId);
    if (room?.members.has(userId) !== true) continue;
    list.push({ message: await deps.show(record, room.group), matches: [...matches] });
  }
  return list;
}

/** Words whose spellings are made in one tick: a long word takes a millisecond. */
const wordsOfTick = 2;

async function spellingsOf({ search }: SearchDeps, words: readonly QueryWord[]): Promise<(readonly Spelling[])[]> {
  const pace = createPace(wordsOfTick);
  const spellings: (readonly Spelling[])[] = [];
  for (const word of words) {
    await pace(1);
    spellings.push(search.spellings(word));
  }
  return spellings;
}

/**
 * Finds messages by their words in the rooms of the caller. The store returns those that may match, and reading them decides.
 * One page is a bounded amount of work, however common a word is.
 */
export async function searchMessages(
  deps: SearchDeps,
  { userId }: TokenHolder,
  { q, groupId, userId: from, before, after, pageSize, cursor }: SearchInput,
  context: CallContext,
): Promise<SearchOutput> {
  const groupIds = await searchedRooms(deps, userId, groupId);
  const words = deps.search.words(q);
  if (words.length === 0) return { list: [], nextCursor: null, incomplete: false };
  const sender = from === undefined ? null : senderOf(from);
  const spellings = await spellingsOf(deps, words);
  const ofSender = sender === null ? [] : [[[senderTerm(sender.userId, sender.external)]]];
  const page = await readPage(
    deps,
    { words, sender, pageSize },
    {
      groupIds,
      words: [...spellings, ...ofSender],
      before: cursor ?? null,
      createdBefore: before ?? null,
      createdAfter: after ?? null,
      limit: pageSize,
    },
    context,
  );
  context.charge?.(costOf(page, groupIds.length));
  return {
    list: await show(deps, userId, page),
    nextCursor: page.next === null ? null : String(page.next),
    incomplete: !page.isComplete,
  };
}
