import type { AttachmentRecord } from "@telex/files/records";
import type { MessageRecord, NewMessage } from "./messages.ts";

/** The input of `append` of a message store. */
export interface MessageAppend {
  readonly message: NewMessage;
  /**
   * Makes a repeat safe: the same sender, room and nonce within `life` (milliseconds before `receiveTime`) stores nothing.
   * `fingerprint` tells whether the content is the same.
   */
  readonly nonce: { readonly value: string; readonly fingerprint: string; readonly life: number } | null;
  /** MD5s of files that the message uses: they are marked as used, and MUST exist. */
  readonly files: readonly string[];
  readonly attachments: readonly AttachmentRecord[];
  /** The ids under which an account of an external network knows the message; null for a message that is only in Telex. */
  readonly network: NetworkIds | null;
  /**
   * The message of the outbox that this is; null if it was never there. It leaves the outbox with this step. `isPart`: the network
   * has only a part, which is stored; the whole stays in the outbox as `partly`, and keeps its nonce.
   */
  readonly sent: { readonly account: string; readonly id: string; readonly isPart: boolean } | null;
}

/** The ids of one message in an external network, as one account sees them. */
export interface NetworkIds {
  readonly account: string;
  /** A network may give one message several ids: one for its text, another for its file. */
  readonly messageIds: readonly string[];
  /**
   * Networks reuse ids. True if the message of the room that the account knows under `messageId` is this one. Must depend on its
   * arguments only. Default: it always is.
   */
  readonly isSame?: ((known: MessageRecord, messageId: string) => boolean) | undefined;
}

/** The outcome of `append` of a message store. */
export type MessageAppended =
  | { readonly outcome: "appended" | "repeated"; readonly message: MessageRecord }
  | { readonly outcome: "nonce_conflict" }
  | { readonly outcome: "file_missing"; readonly md5: string };
