import type { MessageRecord } from "../store.ts";

/** What {@link MessageSearchStore.search} is asked. */
export interface MessageSearch {
  readonly groupIds: readonly number[];
  /** Of each word the ways to spell it, each as terms: a message must have all terms of one spelling of every word. */
  readonly words: readonly (readonly (readonly number[])[])[];
  /** Only messages with an id below this; null for no bound. */
  readonly before: number | null;
  /** Only messages whose `createTime` is greater than this, Unix milliseconds; null for no bound. */
  readonly createdAfter: number | null;
  /** Only messages whose `createTime` is less than this, Unix milliseconds; null for no bound. */
  readonly createdBefore: number | null;
  /** At most this many messages, 1 or more. */
  readonly limit: number;
}

/** What {@link MessageSearchStore.search} found. */
export interface MessagesFound {
  /** Newest first. */
  readonly messages: readonly MessageRecord[];
  /** The `before` of the call that goes on; null if nothing is left. Less than the `before` of this call. */
  readonly next: number | null;
  /** False while some messages of these rooms have no terms yet, and are not found. */
  readonly isComplete: boolean;
}

/** A message that gets its terms later than it was stored. */
export interface MessageTerms extends Pick<MessageRecord, "groupId" | "id"> {
  readonly terms: readonly number[];
}

/** How messages are found by their terms. A term is a whole number from 0 to 2^32 - 1, and means nothing to a store. */
export interface MessageSearchStore {
  /**
   * The newest messages of some rooms that have what is looked for. A message is found from the moment at which its `append`
   * resolves; one that was recalled is never found.
   *
   * A store MUST return every message that has the terms, and MAY return a few that lack some of them: the caller reads what is
   * returned. It MAY return less than `limit`, also nothing, and more is to come: one call is a bounded amount of work,
   * however many messages the rooms have. Following `next` shows each message once, whatever arrives meanwhile.
   */
  search(search: MessageSearch): Promise<MessagesFound>;

  /**
   * Messages that have no terms yet, because they were stored by an earlier version or put as records. At most `limit`; none if
   * every message has its terms. A store that returns messages MUST return others once these have their terms.
   */
  listUnindexed(limit: number): Promise<readonly MessageRecord[]>;

  /** Gives messages of {@link MessageSearchStore.listUnindexed} their terms, in its order. A repeat changes nothing. */
  index(messages: readonly MessageTerms[]): Promise<void>;
}
