import type { IncomingPart, NetworkRoom } from "../gateway-types.ts";

/** A message of the network, without facts that must be requested. */
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
  /** `name`: null if the event lacks it. */
  readonly sender: { readonly ext: string; readonly name: string | null };
  readonly isOwn: boolean;
  /** Unix milliseconds. */
  readonly createTime: number;
  readonly parts: readonly IncomingPart[];
}

/** The recall of a message in the network. */
export interface RecallEvent {
  readonly kind: "recall";
  readonly messageId: string | null;
  readonly room: NetworkRoom;
  /** The person who did it; null if the event lacks it. */
  readonly operator: string | null;
}

/** A reaction that a person has added to a message in the network, or removed. */
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
  /** One of the above whose ids or fields are missing or wrong. */
  | { readonly kind: "malformed" }
  /** An event that Telex does not need. */
  | { readonly kind: "other" };
