import type { LiveEventsOf } from "@telex/ground/live";
import type { Replayed } from "@telex/ground/concurrency";
import type { messageEvents } from "./contract.ts";

/** Events for connections that listen to chat rooms. */
export type MessagesLiveEvent = LiveEventsOf<typeof messageEvents>;

/** True for a message that a replay has covered. */
export const isReplayed = (replayed: Replayed, event: { readonly kind: string } | MessagesLiveEvent): boolean =>
  event.kind === "message" && "data" in event && event.data.messageId <= (replayed.get(event.data.groupId) ?? 0);
