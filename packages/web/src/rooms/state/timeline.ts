import type { MessageView } from "@telex/core";
import { recalledContent } from "../content/content.ts";

/** A stretch of the history of a room, without holes. It is all that is kept and drawn of it, however long the history is. */
export interface Timeline {
  /** Ascending by id. */
  readonly messages: readonly MessageView[];
  /** No message is older. */
  readonly isStart: boolean;
  /** No message is newer: arriving ones follow on it. */
  readonly isEnd: boolean;
}

/** A page of history as the server gives it: newest first. */
export interface HistoryPage {
  readonly groupMessages: readonly MessageView[];
  readonly nextPageCursor: string | null;
  readonly previousPageCursor: string | null;
}

/** Messages of a page. */
export const pageSize = 50;
/**
 * The maximum of messages that are kept. The timeline drops messages beyond it, and loads them again as history. It must be several times the height of
 * a window with the pages fetched ahead: with 150, the page below a high window dropped the page above it, and so on without end.
 */
export const mostKept = 300;

/** The messages of both, ascending, none twice; of one that is in both, the second counts. */
function merge(existing: readonly MessageView[], received: readonly MessageView[]): readonly MessageView[] {
  const all = new Map(existing.map((message) => [message.messageId, message]));
  for (const message of received) all.set(message.messageId, message);
  return [...all.values()].toSorted((a, b) => a.messageId - b.messageId);
}

/** A page as it is. */
export const begin = ({ groupMessages, nextPageCursor, previousPageCursor }: HistoryPage): Timeline => ({
  messages: merge([], groupMessages),
  isStart: nextPageCursor === null,
  isEnd: previousPageCursor === null,
});

/** The page before the oldest message put in front. */
export function putBefore(timeline: Timeline, page: HistoryPage): Timeline {
  const messages = merge(timeline.messages, page.groupMessages);
  const isEnd = timeline.isEnd && messages.length <= mostKept;
  return { messages: messages.slice(0, mostKept), isStart: page.nextPageCursor === null, isEnd };
}

/** Adds newer messages, and drops those that are then too far above. */
function takeNewer(timeline: Timeline, newer: readonly MessageView[]): Timeline {
  const messages = merge(timeline.messages, newer);
  const isStart = timeline.isStart && messages.length <= mostKept;
  return { ...timeline, messages: messages.slice(-mostKept), isStart };
}

/** The page after the newest message put behind. */
export const putAfter = (timeline: Timeline, page: HistoryPage): Timeline => ({
  ...takeNewer(timeline, page.groupMessages),
  isEnd: page.previousPageCursor === null,
});

/** Adds a message that has just arrived, if the timeline reaches the newest message before it. */
export function receive(timeline: Timeline, message: MessageView): Timeline {
  const isKnown = timeline.messages.some(({ messageId }) => messageId === message.messageId);
  return isKnown || timeline.isEnd ? takeNewer(timeline, [message]) : timeline;
}

/**
 * Adds the newest page after a connection was lost. If the page does not reach down to the known messages, it would leave a hole. Then the timeline
 * does not take it in, and newer messages come as pages.
 */
export function catchUp(timeline: Timeline, page: HistoryPage): Timeline {
  const newest = timeline.messages.at(-1)?.messageId ?? 0;
  const oldest = page.groupMessages.at(-1)?.messageId ?? 0;
  if (!timeline.isEnd) return timeline;
  if (oldest > newest && page.nextPageCursor !== null) return { ...timeline, isEnd: false };
  return putAfter(timeline, page);
}

/** Drops the known messages above `since`, because the messages between were missed and will not be sent again. */
export function cutAbove(timeline: Timeline, since: number): Timeline {
  const messages = timeline.messages.filter(({ messageId }) => messageId <= since);
  return { ...timeline, messages, isEnd: false };
}

/** A message that was changed takes the place of what was known of it. One that is not known is left out. */
export const amend = (timeline: Timeline, id: number, how: (message: MessageView) => MessageView): Timeline => ({
  ...timeline,
  messages: timeline.messages.map((message) => (message.messageId === id ? how(message) : message)),
});

/** A recalled message keeps its place, and loses its content. */
export const recall = (timeline: Timeline, id: number): Timeline =>
  amend(timeline, id, ({ reactions: _reactions, editedAt: _editedAt, pinned: _pinned, ...message }) => ({
    ...message,
    type: 0,
    content: recalledContent,
    pinyin: recalledContent,
  }));
