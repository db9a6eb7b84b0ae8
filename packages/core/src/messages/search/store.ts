import type { MessageRecord } from "../../records/messages.ts";

/** A search for {@link MessageSearchStore.search}. */
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
  /** At most this many messages that have terms, 1 or more. Those that have no terms yet come in addition. */
  readonly limit: number;
}

/** The result of {@link MessageSearchStore.search}. */
export interface MessagesFound {
  /** Newest first. */
  readonly messages: readonly MessageRecord[];
  /** The `before` of the next call; null after the last page. Less than the `before` of this call. */
  readonly next: number | null;
  /**
   * False while a thousand or more messages of the rooms that the call has looked at have no terms yet. They are returned all the same, but a
   * call comes less far. It MAY be true while there are fewer, and false while there are others in other rooms.
   */
  readonly isComplete: boolean;
}

/** The position of a message. */
export type MessagePosition = Pick<MessageRecord, "groupId" | "seq" | "id">;

/** A message that gets its terms. */
export interface MessageTerms extends MessagePosition {
  /** Some may be there several times. */
  readonly terms: readonly number[];
}

/** A message whose texts were read again. */
export interface RenewedMessage extends MessagePosition {
  /** The content that was read. The message does not change if it has another one now. */
  readonly content: string;
  /** The changed fields; null if none changed. */
  readonly fresh: (Pick<MessageRecord, "pinyin" | "nicknamePinyin"> & { readonly terms: readonly number[] }) | null;
}

/**
 * Finds messages by their terms. A term is a whole number from 0 to 2^32 - 1, and means nothing to a store. Messages
 * are stored without terms, and get them later, many together, so that sending does not wait for it.
 */
export interface MessageSearchStore {
  /**
   * The newest messages of some rooms that may match: those that have the terms, and those whose terms are not stored
   * yet. So a search finds a message as soon as its `append` resolves. It never returns a recalled message.
   *
   * A store MUST return every message that has the terms, and MAY return a few that lack some of them: the caller reads each
   * message. It MAY return fewer than `limit`, even an empty page, before the last page: one call does a bounded amount of work,
   * however many messages the rooms have, and however many of them have no terms. But of 200 rooms with 50 messages each, with terms or without, six
   * calls reach the end: each call may do less in one room the more rooms there are. Following `next` shows each message once, whatever
   * arrives in the meantime.
   */
  search(search: MessageSearch): Promise<MessagesFound>;

  /**
   * Some messages that have no terms yet, 128 or fewer. A store MAY keep back up to 15 messages of each room until there are
   * more; otherwise none means that every message has its terms. When these have their terms, it returns others. A store
   * that has read the messages themselves MAY return them, so that they are not read again.
   */
  listUnindexed(): Promise<readonly (MessagePosition | MessageRecord)[]>;

  /**
   * Gives messages their terms: all those that one call of {@link MessageSearchStore.listUnindexed} has returned, in its order.
   * Messages that have terms, and those that do not exist, do not change. A message that was recalled, before or after, keeps no
   * terms: they say what was in its text.
   */
  index(messages: readonly MessageTerms[]): Promise<void>;

  /**
   * Some messages whose pinyin or terms are of a version of Telex before this one, 64 or fewer: those that it has stored, that it has given
   * their terms, and that were put as records. None means that all were renewed, or have no terms yet.
   */
  listOutdated(): Promise<readonly MessageRecord[]>;

  /** The number of messages to renew, counted up to this limit, 1 or more. */
  countOutdated(most: number): Promise<number>;

  /**
   * Writes the pinyin and the terms of messages that {@link MessageSearchStore.listOutdated} has returned; afterwards it does not return these
   * messages. Each message changes completely or not at all. A store MAY leave one for the next time, and MAY keep terms that a message had before.
   */
  renew(messages: readonly RenewedMessage[]): Promise<void>;
}
