import type { MessageView } from "@telex/core";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createAttempts } from "../../base/attempts.ts";
import { type Problem, problemOf } from "../../server/problem.ts";
import type { MemberView, RoomsApi, RoomView } from "../content/api.ts";
import { fetchPages } from "./pages.ts";
import {
  begin,
  catchUp,
  cutAbove,
  type HistoryPage,
  pageSize,
  putAfter,
  putBefore,
  recall,
  receive,
  type Timeline,
} from "./timeline.ts";

/** The room that is looked at. Owns the stretch of its history that is drawn. */
export interface Room {
  readonly groupId: number;
  readonly timeline: ReadonlySignal<Timeline | null>;
  readonly isLoading: ReadonlySignal<boolean>;
  readonly problem: ReadonlySignal<Problem | null>;
  /** The members as far as they are known; empty before. */
  readonly members: ReadonlySignal<readonly MemberView[]>;
  /** Shows the newest messages. */
  readonly toNewest: () => Promise<void>;
  /** Shows a message and what is around it. */
  readonly jump: (messageId: number) => Promise<void>;
  readonly older: () => Promise<void>;
  readonly newer: () => Promise<void>;
  readonly receive: (message: MessageView) => void;
  readonly miss: (since: number) => void;
  readonly recalled: (messageId: number) => void;
  /**
   * Fetches what was missed while there was no connection.
   * @throws what a call of the server throws
   */
  readonly catchUp: () => Promise<void>;
  /** Fetches the members; what fails is made good by the next time. */
  readonly loadMembers: () => Promise<void>;
}

/** Members that are fetched in one call, and in all. */
const memberPage = 100;
const mostMembers = 1000;

async function fetchMembers(api: RoomsApi["rooms"], groupId: number): Promise<readonly MemberView[]> {
  const fetchPage = (at: { readonly cursor?: string }) => api.members({ groupId, pageSize: memberPage, ...at });
  const { list } = await fetchPages<MemberView>(fetchPage, mostMembers);
  return list;
}

/** The history of a room, in pages. */
function createHistory(api: RoomsApi["messages"], { groupId, groupType }: Pick<RoomView, "groupId" | "groupType">) {
  const page = (cursor?: number): Promise<HistoryPage> =>
    api.history({ groupId, groupType, pageSize, ...(cursor === undefined ? {} : { cursor }) });
  /** Where the page above a message begins, from when that message was fetched. */
  let above: { readonly top: number; readonly cursor: string | null } | null = null;
  return {
    page,
    /** The page after a message; null without one. */
    async after(top: number): Promise<HistoryPage | null> {
      const known = above?.top === top ? above.cursor : null;
      const cursor = known ?? (await page(top + 1)).previousPageCursor;
      if (cursor === null) return null;
      const found = await page(Number(cursor));
      above = { top: found.groupMessages[0]?.messageId ?? top, cursor: found.previousPageCursor };
      return found;
    },
  };
}

/** Loads one thing after another, and says what goes wrong. */
function createLoads() {
  const { loading: isLoading, problem, attempt } = createAttempts(problemOf);
  let running = Promise.resolve();
  /** Loads after what is being loaded. */
  const queue = (work: () => Promise<void>): Promise<void> => {
    running = running.then(() => attempt(work));
    return running;
  };
  /** Loads unless something is being loaded. */
  const tryLoad = (work: () => Promise<void>): Promise<void> => (isLoading.peek() ? Promise.resolve() : queue(work));
  return { isLoading, problem, queue, tryLoad };
}

type Change = (known: Timeline) => Timeline;

/** Changes a stretch, if there is one. */
function changeIn(timeline: Signal<Timeline | null>, how: Change): void {
  const known = timeline.peek();
  if (known !== null) timeline.value = how(known);
}

/** A stretch of history. `showing` fetches a part of it, and adds the messages that arrived during the fetch, which the part may lack. */
function createStretch() {
  const timeline = signal<Timeline | null>(null);
  /** Null while no fetch runs. */
  let told: MessageView[] | null = null;
  const change = (how: Change): void => changeIn(timeline, how);
  const take = (message: MessageView): void => {
    told?.push(message);
    change((known) => receive(known, message));
  };
  const showing = (fetchStretch: () => Promise<Timeline | null>) => async (): Promise<void> => {
    told = [];
    const fetched = await fetchStretch();
    if (fetched !== null) timeline.value = told.reduce(receive, fetched);
    told = null;
  };
  return { timeline, change, take, showing };
}

type History = ReturnType<typeof createHistory>;

/** A message and what is around it. */
async function fetchAround(history: History, messageId: number): Promise<Timeline> {
  const below = begin(await history.page(messageId + 1));
  const after = await history.after(messageId);
  return after === null ? { ...below, isEnd: true } : putAfter(below, after);
}

/** The stretch with the page before it; null if there is no such page. */
async function fetchOlder(history: History, timeline: ReadonlySignal<Timeline | null>): Promise<Timeline | null> {
  const known = timeline.peek();
  const oldest = known?.messages[0]?.messageId;
  if (known === null || known.isStart || oldest === undefined) return null;
  const page = await history.page(oldest);
  return putBefore(timeline.peek() ?? known, page);
}

/** The stretch with the page after it; null if there is no such page. */
async function fetchNewer(history: History, known: Timeline | null): Promise<Timeline | null> {
  const newest = known?.messages.at(-1)?.messageId;
  if (known === null || known.isEnd) return null;
  if (newest === undefined) return begin(await history.page());
  const page = await history.after(newest);
  return page === null ? { ...known, isEnd: true } : putAfter(known, page);
}

/** The ways through the history of a room. */
function createWays(history: History, { timeline, showing }: ReturnType<typeof createStretch>) {
  const { isLoading, problem, queue, tryLoad } = createLoads();
  return {
    isLoading,
    problem,
    toNewest: () => queue(showing(async () => begin(await history.page()))),
    jump: (messageId: number) => queue(showing(() => fetchAround(history, messageId))),
    // A failed page above or below is fetched again; a jump is not repeated.
    older: () => tryLoad(showing(() => fetchOlder(history, timeline))),
    newer: () => tryLoad(showing(() => fetchNewer(history, timeline.peek()))),
  };
}

/** The members of a room, as far as they are known. */
function createMembers(api: RoomsApi["rooms"], groupId: number): Pick<Room, "members" | "loadMembers"> {
  const members = signal<readonly MemberView[]>([]);
  const loadMembers = async (): Promise<void> => {
    members.value = await fetchMembers(api, groupId).catch(() => members.peek());
  };
  return { members, loadMembers };
}

/** Fetches what was missed of a stretch that is shown. */
async function catchUpWith(history: History, { timeline, change }: ReturnType<typeof createStretch>): Promise<void> {
  if (timeline.peek() === null) return;
  const page = await history.page();
  change((known) => catchUp(known, page));
}

/** A room without messages. */
export function createRoom(api: RoomsApi, view: Pick<RoomView, "groupId" | "groupType">): Room {
  const { groupId } = view;
  const history = createHistory(api.messages, view);
  const stretch = createStretch();
  const { timeline, change, take } = stretch;
  return {
    groupId,
    timeline,
    ...createWays(history, stretch),
    ...createMembers(api.rooms, groupId),
    receive: take,
    miss: (since) => change((known) => cutAbove(known, since)),
    recalled: (messageId) => change((known) => recall(known, messageId)),
    catchUp: () => catchUpWith(history, stretch),
  };
}
