import type { IncomingPart, NetworkRoom } from "../gateway-types.ts";

/** A message of the network. What has to be asked for is missing. */
export interface MessageEvent {
  readonly kind: "message";
  /** Null if the network gives none. */
  readonly messageId: string | null;
  /** Other ids by which the message may be known. */
  readonly otherIds: readonly string[];
  /** The name of a file that stands alone; null for every other message. */
  readonly fileName: string | null;
  readonly room: NetworkRoom;
  /** The name of the room; `""` if the event lacks it. */
  readonly roomName: string;
  /** `name`: null if the event does not tell it. */
  readonly sender: { readonly ext: string; readonly name: string | null };
  readonly isOwn: boolean;
  /** Unix milliseconds. */
  readonly createTime: number;
  readonly parts: readonly IncomingPart[];
}

/** A message was recalled in the network. */
export interface RecallEvent {
  readonly kind: "recall";
  readonly messageId: string | null;
  readonly room: NetworkRoom;
  /** The person who did it; null if the event lacks it. */
  readonly operator: string | null;
}

/** A person has reacted to a message in the network, or has taken that back. */
export interface ReactionEvent {
  readonly kind: "reaction";
  readonly messageId: string | null;
  readonly room: NetworkRoom;
  readonly operator: string;
  /** Those that are emoji. */
  readonly emoji: readonly string[];
  readonly isRemoval: boolean;
}

/** An event of an implementation. */
export type BotEvent =
  | MessageEvent
  | RecallEvent
  | ReactionEvent
  /** `interval`: milliseconds; `isOnline`: null if it does not say. */
  | { readonly kind: "heartbeat"; readonly interval: number | null; readonly isOnline: boolean | null }
  | { readonly kind: "state"; readonly isOnline: boolean }
  /** Something of the above whose ids or fields are missing or wrong. */
  | { readonly kind: "malformed" }
  /** An event that Telex does not need. */
  | { readonly kind: "other" };
