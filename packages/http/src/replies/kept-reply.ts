import type { Clock } from "@telex/core";
import type { ChatEvent } from "@telex/core/contract";
import { LRUCache } from "lru-cache";
import type { ReplyStream } from "./reply-stream.ts";
import type { HttpTelex } from "../limits.ts";

export interface Kept {
  readonly userId: number;
  readonly stream: ReplyStream;
}

export interface Opened {
  readonly id: string;
  readonly stream: ReplyStream;
}

export const eventId = /^([\w-]{16}):(\d{1,9})$/;

const eventNames = {
  delta: "ChatDelta",
  toolRequest: "ChatToolRequest",
  tool: "ChatTool",
  result: "ChatResult",
} as const;

/** Writes the events of a reply. The first one says after how many milliseconds a client that lost the stream reconnects. */
export function createEncoder(): (event: ChatEvent) => string {
  let lead = "retry: 2000\n";
  return ({ kind, ...data }) => {
    const text = `${lead}event: ${eventNames[kind]}\ndata: ${JSON.stringify(data)}\n\n`;
    lead = "";
    return text;
  };
}

/** The replies that can be resumed: those in progress, and for a while those that have ended, the oldest removed first. */
export function createKept(clock: Clock, { repliesKept, replyBuffer, replyKept }: HttpTelex["limits"]) {
  const inProgress = new Map<string, Kept>();
  const over = new LRUCache<string, Kept>({
    max: repliesKept,
    maxSize: (repliesKept * replyBuffer) / 4,
    sizeCalculation: ({ stream }) => stream.size() + 1,
  });
  return {
    begin: (id: string, kept: Kept): unknown => inProgress.set(id, kept),
    isInProgress: (id: string): boolean => inProgress.has(id),
    find: (id: string): Kept | undefined => inProgress.get(id) ?? over.get(id),
    end(id: string): void {
      const reply = inProgress.get(id);
      if (reply === undefined) return;
      inProgress.delete(id);
      over.set(id, reply);
      clock.after(replyKept, () => over.delete(id));
    },
  };
}
