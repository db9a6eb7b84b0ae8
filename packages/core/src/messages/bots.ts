import type { GroupRecord } from "../groups/store.ts";
import type { FileRecord } from "../bucket/store.ts";

/** A part of a message on its way to a bot. */
export type BotPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly file: FileRecord }
  | { readonly kind: "file"; readonly file: FileRecord; readonly name: string }
  | { readonly kind: "at"; readonly ext: string }
  | { readonly kind: "reply"; readonly botMessageId: string };

/** What became of a message that was given to a bot. */
export type BotOutcome =
  | { readonly outcome: "delivered"; readonly botMessageId: string | null; readonly account: string }
  | { readonly outcome: "offline" }
  | { readonly outcome: "unsupported" }
  | { readonly outcome: "refused"; readonly detail: string }
  | { readonly outcome: "unknown" };

/** Sends messages to rooms of an external network. */
export interface BotGateway {
  /**
   * Gives a message to the bot of a room: the official one for types 0 and 3, the room's private one for 4 and 5. Sends to
   * one room are serial and in order. Never sends twice, and never throws for what the bot does.
   */
  send(group: GroupRecord, parts: readonly BotPart[]): Promise<BotOutcome>;
}

/** The gateway of an installation without bots: every bot is offline. */
export const noBots: BotGateway = { send: () => Promise.resolve({ outcome: "offline" }) };
