import type { MessageView } from "@telex/core";
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Problem } from "../../server/problem.ts";
import type { MemberView, RoomsApi, RoomView } from "../content/api.ts";
import { fetchPages } from "./pages.ts";
import { amend, catchUp, cutAbove, recall, type Timeline } from "./timeline.ts";
import { createHistory, createTimeline, type History, createNavigation } from "./room-history.ts";

/** The open room. Owns the part of its history that is drawn. */
export interface Room {
  readonly groupId: number;
  readonly timeline: ReadonlySignal<Timeline | null>;
  readonly isLoading: ReadonlySignal<boolean>;
  readonly problem: ReadonlySignal<Problem | null>;
  /** Empty until they are loaded. */
  readonly members: ReadonlySignal<readonly MemberView[]>;
  /** Shows the newest messages. */
  readonly toNewest: () => Promise<void>;
  /** Shows the first unread message with its context, or the newest messages if they contain it. */
  readonly open: (view: Pick<RoomView, "unread" | "readUpTo">) => Promise<void>;
  /** Shows a message with its context. */
  readonly jump: (messageId: number) => Promise<void>;
  readonly older: () => Promise<void>;
  readonly newer: () => Promise<void>;
  readonly receive: (message: MessageView) => void;
  readonly miss: (since: number) => void;
  readonly recalled: (messageId: number) => void;
  /** Changes a message in the timeline. */
  readonly amend: (messageId: number, how: (message: MessageView) => MessageView) => void;
  /**
   * Fetches the messages that were missed while disconnected.
   * @throws the errors of the server
   */
  readonly catchUp: () => Promise<void>;
  /** Fetches the members. A failure is ignored, because the next call repeats it. */
  readonly loadMembers: () => Promise<void>;
}

/** The maximum number of unread messages for which the newest page shows them all, with some read messages above. */
const nearUnread = 40;

/** The number of members per call, and in total. */
const memberPage = 100;

const mostMembers = 1000;

async function fetchMembers(api: RoomsApi["rooms"], groupId: number): Promise<readonly MemberView[]> {
  const fetchPage = (at: { readonly cursor?: string }) => api.members({ groupId, pageSize: memberPage, ...at });
  const { list } = await fetchPages<MemberView>(fetchPage, mostMembers);
  return list;
}

function createMembers(api: RoomsApi["rooms"], groupId: number): Pick<Room, "members" | "loadMembers"> {
  const members = signal<readonly MemberView[]>([]);
  const loadMembers = async (): Promise<void> => {
    members.value = await fetchMembers(api, groupId).catch(() => members.peek());
  };
  return { members, loadMembers };
}

/** Fetches the messages that the timeline has missed. */
async function catchUpWith(history: History, { timeline, change }: ReturnType<typeof createTimeline>): Promise<void> {
  if (timeline.peek() === null) return;
  const page = await history.page();
  change((current) => catchUp(current, page));
}

export function createRoom(api: RoomsApi, view: Pick<RoomView, "groupId" | "groupType">): Room {
  const { groupId } = view;
  const history = createHistory(api.messages, view);
  const shown = createTimeline();
  const { timeline, change, take } = shown;
  const navigation = createNavigation(history, shown);
  return {
    groupId,
    timeline,
    ...navigation,
    open: ({ unread, readUpTo }) => (unread > nearUnread ? navigation.jump(Number(readUpTo)) : navigation.toNewest()),
    ...createMembers(api.rooms, groupId),
    receive: take,
    miss: (since) => change((current) => cutAbove(current, since)),
    amend: (messageId, how) => change((current) => amend(current, messageId, how)),
    recalled: (messageId) => change((current) => recall(current, messageId)),
    catchUp: () => catchUpWith(history, shown),
  };
}
