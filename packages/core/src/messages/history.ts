import type { z } from "zod";
import type { MessagesContract } from "./contract.ts";
import type { MessagePage } from "./store.ts";

type HistoryView = z.output<MessagesContract["history"]["output"]>;

/** The position of a page in the history of its room (interface 4.6): numbers and cursors from the messages above and below it. */
export function positionOf(
  { messages, newer, older, above, newest }: MessagePage,
  pageSize: number,
): Omit<HistoryView, "groupMessages"> {
  const currentPage = 1 + Math.ceil(newer / pageSize);
  return {
    currentPage,
    totalPage: currentPage + Math.ceil(older / pageSize),
    nextPageCursor: older === 0 ? null : String(messages.at(-1)?.id ?? newest + 1),
    previousPageCursor: newer === 0 ? null : String(above ?? newest + 1),
  };
}
