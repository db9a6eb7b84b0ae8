import type { MessageView } from "@telex/core";
import { recalledContent } from "../content/content.ts";

/** A contiguous part of the history of a room. Only this part is kept and drawn, however long the history is. */
export interface Timeline {
  /** Ascending by id. */
  readonly messages: readonly MessageView[];
  /** True if there is no older message. */
  readonly isStart: boolean;
  /** True if there is no newer message. Then new messages are appended. */
  readonly isEnd: boolean;
}

/** A page of history from the server, newest first. */
export interface HistoryPage {
  readonly groupMessages: readonly MessageView[];
  readonly nextPageCursor: string | null;
  readonly previousPageCursor: string | null;
}

/** Messages per page. */
export const pageSize = 50;
/**
 * The maximum number of messages in the timeline. Messages beyond it are dropped, and loaded again as history. It must be several times the height of
 * a window including prefetched pages: with 150, the pages above and below a high window kept replacing each other.
 */
export const mostKept = 300;

/** Merges messages in ascending order. If both lists contain a message, the second list wins. */
function merge(existing: readonly MessageView[], received: readonly MessageView[]): readonly MessageView[] {
  const all = new Map(existing.map((message) => [message.messageId, message]));
  for (const message of received) all.set(message.messageId, message);
  return [...all.values()].toSorted((a, b) => a.messageId - b.messageId);
}

export const begin = ({ groupMessages, nextPageCursor, previousPageCursor }: HistoryPage): Timeline => ({
  messages: merge([], groupMessages),
  isStart: nextPageCursor === null,
  isEnd: previousPageCursor === null,
});

/** Prepends the page before the oldest message. */
export function putBefore(timeline: Timeline, page: HistoryPage): Timeline {
  const messages = merge(timeline.messages, page.groupMessages);
  const isEnd = timeline.isEnd && messages.length <= mostKept;
  return { messages: messages.slice(0, mostKept), isStart: page.nextPageCursor === null, isEnd };
}

/** Adds newer messages, and drops the oldest ones beyond the limit. */
function takeNewer(timeline: Timeline, newer: readonly MessageView[]): Timeline {
  const messages = merge(timeline.messages, newer);
  const isStart = timeline.isStart && messages.length <= mostKept;
  return { ...timeline, messages: messages.slice(-mostKept), isStart };
}

/** Appends the page after the newest message. */
export const putAfter = (timeline: Timeline, page: HistoryPage): Timeline => ({
  ...takeNewer(timeline, page.groupMessages),
  isEnd: page.previousPageCursor === null,
});

/** Adds a new message, if the timeline includes the message before it. */
export function receive(timeline: Timeline, message: MessageView): Timeline {
  const isKnown = timeline.messages.some(({ messageId }) => messageId === message.messageId);
  return isKnown || timeline.isEnd ? takeNewer(timeline, [message]) : timeline;
}

/**
 * Adds the newest page after a reconnection. If the page does not reach the existing messages, there would be a gap. Then the timeline does not change,
 * and newer messages are loaded as pages.
 */
export function catchUp(timeline: Timeline, page: HistoryPage): Timeline {
  const newest = timeline.messages.at(-1)?.messageId ?? 0;
  const oldest = page.groupMessages.at(-1)?.messageId ?? 0;
  if (!timeline.isEnd) return timeline;
  if (oldest > newest && page.nextPageCursor !== null) return { ...timeline, isEnd: false };
  return putAfter(timeline, page);
}

/** Drops messages above `since`, because the messages after them were missed and will not be sent again. */
export function cutAbove(timeline: Timeline, since: number): Timeline {
  const messages = timeline.messages.filter(({ messageId }) => messageId <= since);
  return { ...timeline, messages, isEnd: false };
}

/** Changes a message, if the timeline contains it. */
export const amend = (timeline: Timeline, id: number, how: (message: MessageView) => MessageView): Timeline => ({
  ...timeline,
  messages: timeline.messages.map((message) => (message.messageId === id ? how(message) : message)),
});

/** Removes the content of a recalled message, and keeps its position. */
export const recall = (timeline: Timeline, id: number): Timeline =>
  amend(timeline, id, ({ reactions: _reactions, editedAt: _editedAt, pinned: _pinned, ...message }) => ({
    ...message,
    type: 0,
    content: recalledContent,
    pinyin: recalledContent,
  }));
