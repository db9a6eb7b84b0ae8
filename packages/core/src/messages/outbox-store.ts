import type { MessageAppend } from "../records/message-append.ts";
import type { MessageRecord, OutboxRecord } from "../records/messages.ts";

/** What {@link MessageOutboxStore.claimSend} is asked. */
export interface SendClaim extends Pick<
  OutboxRecord,
  "id" | "account" | "groupId" | "userId" | "message" | "at" | "until"
> {
  /** As in {@link MessageAppend}: makes a repeat safe. */
  readonly nonce: MessageAppend["nonce"];
  /** Messages of the account that may be in the outbox, 1 or more. */
  readonly limit: number;
  /** Those that started before this (Unix milliseconds) do not count for the limit: nobody waits for their outcome any more. */
  readonly activeSince: number;
}

/** What {@link MessageOutboxStore.claimSend} did. */
export type SendClaimed =
  | { readonly outcome: "claimed" }
  /** The message with this nonce is stored. */
  | { readonly outcome: "repeated"; readonly message: MessageRecord }
  /** The nonce belongs to another content. */
  | { readonly outcome: "nonce_conflict" }
  /** The message with this nonce is in the outbox, in this state, at this place. */
  | { readonly outcome: OutboxRecord["state"]; readonly first: SendKey }
  | { readonly outcome: "full" };

/** Names a message in the outbox. */
export type SendKey = Pick<OutboxRecord, "account" | "id">;

/**
 * Messages on their way to external networks. A message is here from the moment at which it is accepted until its outcome is known.
 * One whose `until` (Unix milliseconds) has come is not here any more, for any verb that is given a later time.
 */
export interface MessageOutboxStore {
  /**
   * Puts a message into the outbox, as `waiting`, unless its nonce is known: to a stored message within the life of the nonce,
   * or to a message of the same sender and room in the outbox, of whatever account. Of N simultaneous claims with one nonce exactly one
   * is `claimed`; the others are told where it is.
   *
   * An account has at most `limit` messages in the outbox. Those that are `partly` there or have started before `activeSince` do not
   * count.
   */
  claimSend(claim: SendClaim): Promise<SendClaimed>;

  /**
   * Says that the network is about to be asked, durably: a waiting message is `started` from `now` on, and is forgotten at `until`.
   * False if it does not wait any more, then nobody may ask the network. Of N callers exactly one gets true.
   */
  startSend(start: SendKey & { readonly now: number; readonly until: number }): Promise<boolean>;

  /** Takes a message out of the outbox because the network does not have it. Its nonce is free again. */
  dropSend(key: SendKey): Promise<void>;

  /** Takes a message out that still waits. False if it does not wait any more: then nothing changes. Of N callers exactly one gets true. */
  cancelSend(key: SendKey): Promise<boolean>;

  /** A message in the outbox, or null. */
  findSend(key: SendKey & { readonly now: number }): Promise<OutboxRecord | null>;

  /** The messages of a room that are `started`, those of one account, in the order in which they started. */
  listStartedSends(
    room: Pick<OutboxRecord, "account" | "groupId"> & { readonly now: number },
  ): Promise<readonly OutboxRecord[]>;
}
