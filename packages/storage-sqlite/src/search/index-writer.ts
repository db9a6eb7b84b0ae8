import type { MessageRecord } from "@telex/core/storage";
import type { Database } from "../database.ts";
import type { SearchBlocks } from "./blocks.ts";
import { prepareMessages } from "../messages-sql.ts";
import type { PendingSignatures } from "./pending.ts";
import { messagesPerBlock, type Placed, prepareSearch } from "./tables.ts";

/** A message of the backlog, and the signature that it gets. */
interface Filling extends Pick<MessageRecord, "groupId" | "id"> {
  readonly signature: Uint8Array;
}

const prepare = (database: Database) => ({
  ...prepareSearch(database),
  unindexed: prepareMessages(database).between,
  advance: database.command("UPDATE search_backlog SET done = ? WHERE group_id = ?"),
  endBacklog: database.command("DELETE FROM search_backlog WHERE group_id = ? AND done >= up_to"),
  dropSignatures: database.command("DELETE FROM message_signatures WHERE group_id = ?"),
  dropSlices: database.command("DELETE FROM message_slices WHERE group_id = ?"),
  dropBlocks: database.command("DELETE FROM message_blocks WHERE group_id = ?"),
  begin: database.command(`INSERT OR REPLACE INTO search_backlog
    SELECT group_id, 0, max(seq) FROM messages WHERE group_id = ? GROUP BY group_id`),
});

/** How often a room looks whether it has a block to make, in messages. A block that a kill has interrupted is made then. */
const lookEvery = 512;

/** What a search looks in: written with each message. */
export class SearchIndex {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #blocks: SearchBlocks;
  readonly #pending: PendingSignatures;

  constructor(database: Database, pending: PendingSignatures, blocks: SearchBlocks) {
    this.#pending = pending;
    this.#sql = prepare(database);
    this.#blocks = blocks;
  }

  /** Gives a new message its terms. Only in the transaction that stores it. */
  add(place: Placed, signature: Uint8Array): void {
    this.#pending.add(place, signature);
  }

  /** A message with terms is stored: makes a block where there is enough for one. */
  added({ groupId, seq }: Placed): void {
    if (seq % lookEvery === 0 && seq >= messagesPerBlock) this.#blocks.make(groupId);
  }

  /** Messages without terms, those of one room. */
  listBacklog(limit: number): readonly MessageRecord[] {
    const backlog = this.#sql.firstBacklog.one();
    if (backlog === null) return [];
    return this.#sql.unindexed.all(backlog.groupId, backlog.done, backlog.upTo, limit);
  }

  /** Gives terms to messages of the backlog, and returns which ones. Only in a transaction. */
  fill(messages: readonly Filling[]): readonly Placed[] {
    return messages.flatMap(({ groupId, id, signature }) => {
      const backlog = this.#sql.backlogOf.one(groupId);
      const { seq } = this.#sql.below.one(groupId, id + 1) ?? { seq: 0 };
      if (backlog === null || seq !== backlog.done + 1) return [];
      this.#pending.add({ groupId, seq }, signature);
      this.#sql.advance(seq, groupId);
      this.#sql.endBacklog(groupId);
      return [{ groupId, seq }];
    });
  }

  /** The messages of a room were put from elsewhere: all of them are to get terms again. Only in a transaction. */
  restart(groupId: number): void {
    this.#sql.dropSignatures(groupId);
    this.#sql.dropSlices(groupId);
    this.#sql.dropBlocks(groupId);
    this.#sql.begin(groupId);
  }
}
