import type { AttachmentRecord, FileRecord } from "@telex/files/records";
import type { GroupRecord } from "../records/groups.ts";
import type { MessageAppend } from "../records/message-append.ts";
import type { MessageRecord } from "../records/messages.ts";
import type { GatewayFile } from "./gateway.ts";

/**
 * A file as a gateway sees it.
 * @param attachment the attachment in the message; null for an image, which has its own address
 */
export type ToGatewayFile = (file: FileRecord, name: string, attachment: AttachmentRecord | null) => GatewayFile;

/** An account of an external network as the members of a room see it. */
interface AccountState {
  /** Its name; null if no account is the official one. */
  readonly account: string | null;
  /** True if messages can be sent now. */
  readonly online: boolean;
}

/** A message for a room of an external network. */
export interface OutgoingMessage {
  readonly group: GroupRecord;
  /** The sender, in decimal digits. */
  readonly userId: string;
  readonly nonce: MessageAppend["nonce"];
  /** The part of the message that the outbox stores. */
  readonly kept: Pick<MessageAppend, "message" | "files" | "attachments"> & { readonly deviceId: string | null };
  /** The connection or device on which it was sent; null for none. */
  readonly origin: object | null;
  /** Called with the message if another server has stored it, which publishes it, too. */
  readonly storedElsewhere: (record: MessageRecord) => void;
}

/** Sends to rooms of external networks. */
export interface GatewaySends {
  /**
   * Sends a message and stores it, through the server that has the account. Messages to one room are sent and stored one at a time,
   * in order. A repeat with the same nonce, on whichever server, never asks the network again: it has the outcome of the first.
   * @throws TelexError `nonce_conflict`, `bot_offline`, `queue_full`, `delivery_failed`, `delivery_unknown`
   */
  deliver(outgoing: OutgoingMessage): Promise<MessageRecord>;
  /** The account through which a room sends, and whether it could now. */
  stateOf(group: GroupRecord): Promise<AccountState>;
}

/**
 * Reacts in the network of a room, or removes the reaction.
 * @throws TelexError `not_supported`, `bot_offline`, `delivery_failed`, `delivery_unknown`
 */
export type ReactInNetwork = (
  group: GroupRecord,
  messageId: number,
  reaction: { readonly emoji: string; readonly isRemoval: boolean },
) => Promise<void>;

/** Asks the network to recall a message that was recalled here. Does not wait for it: what fails is logged. */
export type RecallInNetwork = (group: GroupRecord, messageId: number) => void;
