import type { MessageAppend } from "../records/message-append.ts";
import type { MessageRecord, OutboxRecord } from "../records/messages.ts";

/** The input of {@link MessageOutboxStore.claimSend}. */
export interface SendClaim extends Pick<
  OutboxRecord,
  "id" | "account" | "groupId" | "userId" | "message" | "at" | "until"
> {
  /** As in {@link MessageAppend}: makes a repeat safe. */
  readonly nonce: MessageAppend["nonce"];
  /** Messages of the account that may wait or be sent simultaneously, 1 or more. */
  readonly limit: number;
  /** Sends that started before this (Unix milliseconds) do not count for the limit, because their outcome is unknown. */
  readonly activeSince: number;
}

/** The result of {@link MessageOutboxStore.claimSend}. */
export type SendClaimed =
  | { readonly outcome: "claimed" }
  /** The message with this nonce is stored. */
  | { readonly outcome: "repeated"; readonly message: MessageRecord }
  /** The nonce belongs to another content. */
  | { readonly outcome: "nonce_conflict" }
  /** The message with this nonce is in the outbox, in this state. */
  | { readonly outcome: Exclude<OutboxRecord["state"], "failed">; readonly first: SendKey }
  | { readonly outcome: "full" };

/** Names a message in the outbox. */
export type SendKey = Pick<OutboxRecord, "account" | "id">;

/** A room in which an account sends. */
export type SendRoom = Pick<OutboxRecord, "account" | "groupId">;

/**
 * How sending ends without a stored message. `failed`: the network does not have it, for this `reason`, which is kept until `until` (Unix
 * milliseconds). `unknown`: the network may have it.
 */
export type SendEnd = SendKey &
  (
    | {
        readonly outcome: "failed";
        readonly from: "waiting" | "started";
        readonly reason: string;
        readonly until: number;
      }
    | { readonly outcome: "unknown"; readonly from: "started" }
  );

/**
 * Messages on their way to external networks: one row from the moment at which a message is accepted until it is stored. A row that ends
 * otherwise keeps its outcome. One whose `until` (Unix milliseconds) has come counts as deleted, for any verb that is given a later time.
 */
export interface MessageOutboxStore {
  /**
   * Puts a message into the outbox, as `waiting`, unless its nonce is known: to a stored message within the life of the nonce,
   * or to a message of the same sender and room in the outbox, of any account. Of N simultaneous claims with one nonce exactly one
   * is `claimed`; the others get the key of that row.
   *
   * An account has at most `limit` messages that wait or have started. Those that have started before `activeSince` do not count.
   */
  claimSend(claim: SendClaim): Promise<SendClaimed>;

  /** Keeps those of these messages that still wait until `until` at least. Changes no others. */
  touchSends(touch: { readonly ids: readonly string[]; readonly now: number; readonly until: number }): Promise<void>;

  /**
   * Notes durably that the network is about to be asked: a waiting message is `started` from `now` on, and is deleted at `until`.
   * False if it does not wait any more; then the network must not be asked. Of N callers exactly one gets true.
   */
  startSend(start: SendKey & { readonly now: number; readonly until: number }): Promise<boolean>;

  /**
   * Ends a message that is in the state `from`. A `failed` one keeps its reason instead of its message, and its nonce is free again; an `unknown` one
   * keeps both. False if it is not in that state any more; then nothing changes. Of N callers exactly one gets true.
   */
  finishSend(end: SendEnd): Promise<boolean>;

  /** Those of these messages that are in the outbox, in any order. The caller names at most 1,000. */
  listSends(of: { readonly ids: readonly string[]; readonly now: number }): Promise<readonly OutboxRecord[]>;

  /** The waiting message with the smallest id in a room of an account, or null. The cost does not depend on how many wait. */
  findNextSend(room: SendRoom & { readonly now: number }): Promise<OutboxRecord | null>;

  /** The rooms in which messages wait, each once, in any order. */
  listWaitingRooms(at: { readonly now: number }): Promise<readonly SendRoom[]>;

  /** The messages of a room of an account that are `started` or `unknown`, in the order in which they started. */
  listStartedSends(room: SendRoom & { readonly now: number }): Promise<readonly OutboxRecord[]>;
}
