import type { MessageView } from "@telex/core";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createAttempts } from "../../base/attempts.ts";
import { problemOf } from "../../server/problem.ts";
import type { RoomsApi, RoomView } from "../content/api.ts";
import { begin, type HistoryPage, pageSize, putAfter, putBefore, receive, type Timeline } from "./timeline.ts";

/** The history of a room, in pages. */
export function createHistory(
  api: RoomsApi["messages"],
  { groupId, groupType }: Pick<RoomView, "groupId" | "groupType">,
) {
  const page = (cursor?: number): Promise<HistoryPage> =>
    api.history({ groupId, groupType, pageSize, more: 1, ...(cursor === undefined ? {} : { cursor }) });
  /** The cursor of the page above a message, as it was when that message was fetched. */
  let above: { readonly top: number; readonly cursor: string | null } | null = null;
  return {
    page,
    /** The page after a message, or null. */
    async after(top: number): Promise<HistoryPage | null> {
      const known = above?.top === top ? above.cursor : null;
      const cursor = known ?? (await page(top + 1)).previousPageCursor;
      if (cursor === null) return null;
      const older = await page(Number(cursor));
      above = { top: older.groupMessages[0]?.messageId ?? top, cursor: older.previousPageCursor };
      return older;
    },
  };
}

/** Runs loads one after another, and reports their failures. */
function createLoads() {
  const { loading: isLoading, problem, attempt } = createAttempts(problemOf);
  let running = Promise.resolve();
  /** Runs a load after the loads in progress. */
  const queue = (work: () => Promise<void>): Promise<void> => {
    running = running.then(() => attempt(work));
    return running;
  };
  /** Runs a load unless another one is in progress. */
  const tryLoad = (work: () => Promise<void>): Promise<void> => (isLoading.peek() ? Promise.resolve() : queue(work));
  return { isLoading, problem, queue, tryLoad };
}

type Change = (known: Timeline) => Timeline;

/** Changes the timeline, if there is one. */
function changeIn(timeline: Signal<Timeline | null>, how: Change): void {
  const current = timeline.peek();
  if (current !== null) timeline.value = how(current);
}

/** A contiguous part of the history. `showing` fetches a part and adds the messages that arrived during the fetch, which may be missing from it. */
export function createTimeline() {
  const timeline = signal<Timeline | null>(null);
  /** Null if no fetch is running. */
  let received: MessageView[] | null = null;
  const change = (how: Change): void => changeIn(timeline, how);
  const take = (message: MessageView): void => {
    received?.push(message);
    change((current) => receive(current, message));
  };
  const showing = (fetchTimeline: () => Promise<Timeline | null>) => async (): Promise<void> => {
    received = [];
    const fetched = await fetchTimeline();
    if (fetched !== null) timeline.value = received.reduce(receive, fetched);
    received = null;
  };
  return { timeline, change, take, showing };
}

export type History = ReturnType<typeof createHistory>;

async function fetchAround(history: History, messageId: number): Promise<Timeline> {
  const below = begin(await history.page(messageId + 1));
  const after = await history.after(messageId);
  return after === null ? { ...below, isEnd: true } : putAfter(below, after);
}

/** The timeline with the page before it, or null if there is no such page. */
async function fetchOlder(history: History, timeline: ReadonlySignal<Timeline | null>): Promise<Timeline | null> {
  const current = timeline.peek();
  const oldest = current?.messages[0]?.messageId;
  if (current === null || current.isStart || oldest === undefined) return null;
  const page = await history.page(oldest);
  return putBefore(timeline.peek() ?? current, page);
}

/** The timeline with the page after it, or null if there is no such page. */
async function fetchNewer(history: History, current: Timeline | null): Promise<Timeline | null> {
  const newest = current?.messages.at(-1)?.messageId;
  if (current === null || current.isEnd) return null;
  if (newest === undefined) return begin(await history.page());
  const page = await history.after(newest);
  return page === null ? { ...current, isEnd: true } : putAfter(current, page);
}

/** The ways to move through the history of a room. */
export function createNavigation(history: History, { timeline, showing }: ReturnType<typeof createTimeline>) {
  const { isLoading, problem, queue, tryLoad } = createLoads();
  return {
    isLoading,
    problem,
    toNewest: () => queue(showing(async () => begin(await history.page()))),
    jump: (messageId: number) => queue(showing(() => fetchAround(history, messageId))),
    // A failed page above or below can be fetched again. A jump is not repeated.
    older: () => tryLoad(showing(() => fetchOlder(history, timeline))),
    newer: () => tryLoad(showing(() => fetchNewer(history, timeline.peek()))),
  };
}
