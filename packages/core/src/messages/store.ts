import type { AttachmentRecord } from "../bucket/store.ts";
import type { MessageRecord, NetworkPerson } from "./record.ts";

export type { MessageRecord, NetworkPerson } from "./record.ts";

/** What is stored by {@link MessageStore.append}. */
export interface MessageAppend {
  readonly message: Omit<MessageRecord, "id" | "seq">;
  /**
   * Makes a repeat safe: the same sender, room and nonce within `life` (milliseconds before `receiveTime`) stores nothing.
   * `fingerprint` tells whether the content is the same.
   */
  readonly nonce: { readonly value: string; readonly fingerprint: string; readonly life: number } | null;
  /** MD5s of files that the message uses: they are marked as used, and MUST exist. */
  readonly files: readonly string[];
  readonly attachments: readonly AttachmentRecord[];
  /** Under which ids an account of an external network knows the message; null for a message that is in Telex only. */
  readonly network: NetworkIds | null;
}

/** The ids of one message in an external network, as one account sees them. */
export interface NetworkIds {
  readonly account: string;
  /** A network may give one message several ids: one for its text, another for its file. */
  readonly messageIds: readonly string[];
}

/** What {@link MessageStore.append} did. */
export type MessageAppended =
  | { readonly outcome: "appended" | "repeated"; readonly message: MessageRecord }
  | { readonly outcome: "nonce_conflict" }
  | { readonly outcome: "file_missing"; readonly md5: string };

/** A page of a room's history. */
export interface MessagePage {
  /** Newest first. */
  readonly messages: readonly MessageRecord[];
  /** Messages of the room above the page. */
  readonly newer: number;
  /** Messages of the room below the page. */
  readonly older: number;
  /** The id of the message `limit + 1` places above the newest of this page; null if there is none. */
  readonly above: number | null;
  /** The greatest id of the room, or 0. */
  readonly newest: number;
}

/** What {@link MessageStore.listSince} is asked. */
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
export interface MessageStore {
  /**
   * Stores one message, marks its files as used and keeps its attachments, all or nothing. Ids and `seq` MUST increase in
   * the order in which calls of one process for one room arrive. A repeat MUST store nothing, however many call simultaneously.
   *
   * A message is a repeat if its nonce is known, or if the account knows one of its ids in the network; the first id that is
   * known decides. From then on the account knows the message under all ids that came with it, also with a repeat. An id that
   * belongs to another message stays with that one.
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

  /** The message that an account of an external network knows under this id, or null. */
  findNetworkMessage(key: { readonly account: string; readonly messageId: string }): Promise<MessageRecord | null>;

  /**
   * The paths of the attachments of a message, in their order in the message. A path stays when its attachment is gone. None
   * if there is no such message.
   */
  listFiles(groupId: number, id: number): Promise<readonly string[]>;

  /**
   * The number that stands for a person of an external network. It MUST be the same in every call, and never that of anybody
   * else, however many ask simultaneously.
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

  /** The greatest message id of each of these rooms that has messages. */
  findNewest(groupIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}
