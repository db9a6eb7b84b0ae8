import type { MessageAppend, MessageAppended } from "../records/message-append.ts";
import type { MessageOutboxStore } from "./outbox-store.ts";
import type { MessageRecord, NetworkPerson, RecallRecord } from "../records/messages.ts";
import type { MessageSearchStore } from "./search/store.ts";

/** One id of a message in an external network, as one account knows it. */
export interface NetworkId {
  readonly account: string;
  readonly messageId: string;
}

/** An id of a message in an external network, in the room that the message is in: an id is unique per account and room only. */
export interface NetworkKey extends NetworkId {
  readonly groupId: number;
}

/** A page of a room's history. */
export interface MessagePage {
  /** Newest first. */
  readonly messages: readonly MessageRecord[];
  /** Messages of the room above the page. */
  readonly newer: number;
  /** Messages of the room below the page. */
  readonly older: number;
  /** The id of the message `limit + 1` places above the newest of this page; null if the room has no such message. */
  readonly above: number | null;
  /** The greatest id of the room, or 0. */
  readonly newest: number;
}

/** The reading position of a user in a room. */
export interface RoomReading {
  /** The id of the newest message that the user has read, or 0. */
  readonly readUpTo: number;
  /** The messages above it, without notices. None of them is the user's own. More than 1000 notices may count as messages. */
  readonly unread: number;
  /** The newest message of the room, or null. */
  readonly newest: MessageRecord | null;
}

/** The result of {@link MessageStore.markRead}. `moved`: the marker was lower before. */
export interface MarkedRead extends Pick<RoomReading, "readUpTo" | "unread"> {
  readonly moved: boolean;
}

/** A recall, with the id of its message. */
export interface Recall extends RecallRecord {
  readonly messageId: number;
}

/** A recall for {@link MessageStore.recall}. */
export interface MessageRecall extends Pick<Recall, "groupId" | "messageId" | "operatorId" | "external"> {
  /**
   * If given, only a message that the user `operatorId` has sent, and that was received at this time (Unix milliseconds) or
   * later. Null: any message of the room.
   */
  readonly ownSince: number | null;
  /** The content after the recall. */
  readonly content: string;
  readonly pinyin: string;
}

/** The result of {@link MessageStore.recall}. `repeated`: the message had been recalled before. */
export type MessageRecalled =
  | { readonly outcome: "recalled" | "repeated"; readonly message: MessageRecord; readonly recall: Recall }
  | { readonly outcome: "missing" | "not_owner" | "too_late" };

/** A change of a message. */
export interface MessageAmendment extends Pick<MessageRecord, "extras"> {
  /** New texts, with the terms by which the search finds them; null: they stay. */
  readonly texts:
    | (Pick<MessageRecord, "type" | "content" | "pinyin" | "mentions"> & { readonly terms: readonly number[] })
    | null;
}

/** A change for {@link MessageStore.amend}. */
export interface MessageAmend {
  readonly groupId: number;
  readonly messageId: number;
  /**
   * Decides about the message as it is; null to leave it. May be called several times: the last decision counts. Must depend on its
   * argument only, and not throw.
   */
  readonly decide: (message: MessageRecord) => MessageAmendment | null;
}

/** The result of {@link MessageStore.amend}. `missing`: there is no such message, or it was recalled. */
export type MessageAmended =
  | { readonly outcome: "amended" | "same"; readonly message: MessageRecord }
  | { readonly outcome: "missing" };

/** The bounds of {@link MessageStore.listSince}. */
export interface MessagesSince {
  readonly groupIds: readonly number[];
  readonly after: number;
  readonly limit: number;
  readonly bytes: number;
}

/**
 * Messages of chat rooms. Every verb is atomic among all callers of all processes; a promise resolves when its change is
 * durable.
 */
export interface MessageStore extends MessageSearchStore, MessageOutboxStore {
  /**
   * Stores one message, marks its files as used and keeps its attachments, all or nothing. Ids and `seq` MUST increase in
   * the order in which calls of one process for one room arrive. A repeat MUST store nothing, however many call simultaneously.
   *
   * A message is a repeat if its nonce is known, or if the account knows a message of the room under one of its ids, and
   * `isSame` of its ids in the network says that it is this one; the first id for which that holds decides. From then on the account knows the
   * message under all ids that came with it, also with a repeat. An id that belongs to another message of the room stays with that one if
   * this is a repeat, and moves to this message otherwise. A nonce that comes with such a repeat then stands for the stored message.
   *
   * A user who sends a message has read the room up to it: the marker of {@link MessageStore.markRead} moves in the same step. A notice
   * moves no marker.
   */
  append(append: MessageAppend): Promise<MessageAppended>;

  /**
   * The newest messages of a room with an id below `before` (of all when null), at most `limit`. The cost depends neither
   * on the size of the room nor on the depth of the page.
   */
  page(page: {
    readonly groupId: number;
    readonly before: number | null;
    readonly limit: number;
  }): Promise<MessagePage>;

  /** The message of this room that an account of an external network knows under this id, or null. */
  findNetworkMessage(key: NetworkKey): Promise<MessageRecord | null>;

  /**
   * Every id under which accounts of external networks know the message of this room with this id, in any order, also after it was
   * recalled. None if there is no such message. The cost depends only on how many there are.
   */
  listNetworkIds(groupId: number, id: number): Promise<readonly NetworkId[]>;

  /**
   * The paths of the attachments of a message, in their order in the message. A path stays when its attachment is gone. None
   * if there is no such message, or if it was recalled.
   */
  listFiles(groupId: number, id: number): Promise<readonly string[]>;

  /**
   * The messages of these rooms that use a file, by room and position, after a position, at most `limit`. The cost depends on the rooms and on
   * `limit`, never on the uses in other rooms. Without messages that were recalled, or whose position an early version did not store.
   */
  listUsing(page: {
    readonly md5: string;
    readonly groupIds: readonly number[];
    readonly after: Pick<MessageRecord, "groupId" | "seq">;
    readonly limit: number;
  }): Promise<readonly MessageRecord[]>;

  /**
   * The number that stands for a person of an external network. It MUST be the same in every call, and never that of another
   * person, however many call simultaneously.
   */
  assignNumber(person: Omit<NetworkPerson, "number">): Promise<number>;

  /** The person for whom a number stands, or null. */
  findPerson(number: number): Promise<NetworkPerson | null>;

  /** The message of this room with this id, or null. */
  findMessage(groupId: number, id: number): Promise<MessageRecord | null>;

  /**
   * All messages of these rooms with an id above `after`, by id. Null if there are more than `limit`, or if their content and
   * pinyin together take more than `bytes` bytes of UTF-8. The cost depends on `limit` and `bytes`, never on what was missed.
   */
  listSince(since: MessagesSince): Promise<readonly MessageRecord[] | null>;

  /**
   * The greatest message id of each of these rooms that has messages.
   * @param upTo only messages with an id of at most `upTo` count; default: all
   */
  findNewest(groupIds: readonly number[], upTo?: number): Promise<ReadonlyMap<number, number>>;

  /**
   * The reading positions of a user in these rooms, all as of one moment. The cost per room depends neither on its messages nor on
   * how many of them are unread.
   */
  findReadings(userId: number, groupIds: readonly number[]): Promise<ReadonlyMap<number, RoomReading>>;

  /** Those of these users who have read a room up to the position `seq` or further, in any order: one read for all. */
  findReaders(place: {
    readonly groupId: number;
    readonly seq: number;
    readonly userIds: readonly number[];
  }): Promise<readonly number[]>;

  /**
   * Marks a room as read by a user up to the newest message with an id of at most `upTo`; reports a change of `marker` if that
   * moves the marker. It only moves forward, however many call simultaneously.
   */
  markRead(mark: { readonly groupId: number; readonly userId: number; readonly upTo: number }): Promise<MarkedRead>;

  /**
   * Recalls a message, all or nothing: its content and pinyin are replaced, its type becomes 0, and its attachments are
   * removed. The files that no other message uses count as unused again. Everything else of the message stays, also its position,
   * its nonce and its ids in a network. Reports a change of `recall`.
   *
   * A second recall of a message is `repeated` and changes nothing, no matter who asks for it and when; of N callers exactly one
   * recalls. A message of another user than the one who may recall is `not_owner` in any case.
   */
  recall(recall: MessageRecall): Promise<MessageRecalled>;

  /**
   * All recalls of messages of these rooms with an id of their own above `after`, by id. Null if there are more than `limit`. The
   * cost depends on `limit`.
   */
  listRecalls(since: Omit<MessagesSince, "bytes">): Promise<readonly Recall[] | null>;

  /**
   * Changes the texts or the extras of a message, all or nothing, and gives it its own `changed`. Its position, its files, its nonce and
   * its ids in a network stay. The search finds it by its new texts from then on. Reports a change of `amended`. No change of simultaneous
   * callers is lost. A recall empties the extras and the mentions.
   */
  amend(amend: MessageAmend): Promise<MessageAmended>;

  /** All messages of these rooms with a `changed` above `after`, by that. Null if there are more than `limit`. The cost depends on `limit`. */
  listAmended(since: Omit<MessagesSince, "bytes">): Promise<readonly MessageRecord[] | null>;

  /**
   * For each of these rooms, how many messages above the marker of a user mention them or all members. Of the newest 1000 messages that
   * mention anyone; rooms with none may be left out.
   */
  countMentions(userId: number, groupIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}
