import type { AttachmentRecord, FileRecord } from "../records/bucket.ts";
import type { GroupRecord } from "../records/groups.ts";
import type { MessageAppend, NetworkIds } from "../records/message-append.ts";
import type { MessageRecord } from "../records/messages.ts";
import type { GatewayFile, GatewayPart } from "./gateway.ts";

/**
 * A file as a gateway sees it.
 * @param attachment what the message will carry; null for an image, which has an address of its own
 */
export type ToGatewayFile = (file: FileRecord, name: string, attachment: AttachmentRecord | null) => GatewayFile;

/** A mention for a network, which does not know a member without an ID. */
export const partOfMention = ({ ext, name }: { readonly ext: string; readonly name: string }): GatewayPart =>
  ext === "" ? { kind: "text", text: `@${name} ` } : { kind: "at", ext };

/** The parts of a message that a network accepted. */
export interface Delivered {
  /** The message's id in the network, or null. */
  readonly messageId: string | null;
  /** All its ids there; null for a message that no network has. */
  readonly network: NetworkIds | null;
  readonly sent: MessageAppend["sent"];
  /** The parts that the network has; null for all of them. */
  readonly parts: readonly GatewayPart[] | null;
}

/** A message of the outbox, ready for the network. */
export interface Dispatched {
  readonly group: GroupRecord;
  readonly parts: readonly GatewayPart[];
  /** Stores what was delivered, and tells the members. */
  readonly store: (delivered: Delivered) => Promise<MessageRecord>;
}

/** An account of an external network as the members of a room see it. */
export interface AccountState {
  /** Its name; null if no account is the official one. */
  readonly account: string | null;
  /** True if messages can be sent now. */
  readonly online: boolean;
}

/** A message for a room of an external network. */
export interface OutgoingMessage extends Dispatched {
  /** The sender, in decimal digits. */
  readonly userId: string;
  readonly nonce: MessageAppend["nonce"];
  /** The part of the message that the outbox stores. */
  readonly kept: Pick<MessageAppend, "message" | "files" | "attachments"> & { readonly deviceId: string | null };
  /** The connection or device on which it was sent; null for none. */
  readonly origin: object | null;
  /** Another server has stored it, and tells the members there. */
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

/** Asks the network to recall a message that was recalled here. Does not wait for it: what fails is logged. */
export type RecallInNetwork = (group: GroupRecord, messageId: number) => void;
