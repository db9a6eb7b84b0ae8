import type { MessagePosition } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { SearchBlocks } from "./blocks.ts";
import { blockOf, chunkOf, chunksPerBlock, messagesPerChunk, prepareSearch, type RoomIndex } from "./tables.ts";
import { type FilledChunk, addSignature, clearSignature } from "./chunks.ts";

const prepare = (database: Database) => ({
  ...prepareSearch(database),
  putChunk: database.command("INSERT OR REPLACE INTO message_signatures (group_id, chunk, bits) VALUES (?, ?, ?)"),
  overwriteChunk: database.command(`UPDATE OR REPLACE message_signatures SET chunk = ?, bits = ?
    WHERE id = (SELECT id FROM message_signatures WHERE group_id = ? AND chunk < ? ORDER BY chunk LIMIT 1)`),
  ready: database.command(`INSERT INTO search_rooms (group_id, ready, indexed, blocks) VALUES (?, ?, 0, 0)
    ON CONFLICT DO UPDATE SET ready = excluded.ready`),
  advance: database.command("UPDATE search_rooms SET indexed = ? WHERE group_id = ?"),
  dropSignatures: database.command("DELETE FROM message_signatures WHERE group_id = ?"),
  dropSlices: database.command("DELETE FROM message_slices WHERE group_id = ?"),
  dropBlocks: database.command("DELETE FROM message_blocks WHERE group_id = ?"),
  begin: database.command(`INSERT OR REPLACE INTO search_rooms (group_id, ready, indexed, blocks)
    SELECT group_id, max(seq) - max(seq) % ${messagesPerChunk}, 0, 0 FROM messages WHERE group_id = ? GROUP BY group_id`),
});

/** Messages that one call returns for indexing. */
const together = 128;

/** The index of the search. Each room has a row with its progress. */
export class SearchIndex {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #blocks: SearchBlocks;
  /** The room whose messages were listed last. */
  #last = 0;
  /** New terms of messages, by room and position, whose older terms are perhaps being indexed now. A restart loses both. */
  readonly #late = new Map<number, Map<number, readonly number[]>>();

  constructor(database: Database, blocks: SearchBlocks) {
    this.#sql = prepare(database);
    this.#blocks = blocks;
  }

  /** Notes a stored message: a full chunk can be indexed. Only call it in the transaction that stores the message. */
  add({ groupId, seq }: MessagePosition): void {
    if (seq % messagesPerChunk === 0) this.#sql.ready(groupId, seq);
  }

  /** Messages without terms: complete chunks, room by room. The next call begins with the room after the last one. */
  listBacklog(): readonly MessagePosition[] {
    const matches: MessagePosition[] = [];
    for (const room of this.#backlog()) {
      const left = together - matches.length;
      matches.push(...this.#positionsOf(room, left - (left % messagesPerChunk)));
      this.#last = room.groupId;
      if (matches.length > together - messagesPerChunk) break;
    }
    return matches;
  }

  /** The rooms that have messages without terms, starting after the last listed room. */
  *#backlog(): Generator<RoomIndex> {
    const last = this.#last;
    for (let room = this.#sql.backlogAfter.one(last); room !== null; room = this.#sql.backlogAfter.one(room.groupId)) {
      yield room;
    }
    for (let room = this.#sql.backlogAfter.one(0); room !== null; room = this.#sql.backlogAfter.one(room.groupId)) {
      if (room.groupId > last) return;
      yield room;
    }
  }

  /** Messages of a room without terms. While records are imported, there may be gaps. */
  #positionsOf({ groupId, indexed, ready }: RoomIndex, most: number): readonly MessagePosition[] {
    const { seqs, ids } = this.#sql.positions.only(groupId, groupId, indexed, ready, most);
    const [first = 0] = seqs;
    const end = chunkOf(first) * messagesPerChunk + most;
    return seqs.flatMap((seq, at) => (seq > end ? [] : [{ groupId, seq, id: ids[at] ?? 0 }]));
  }

  /** Stores complete chunks if they are the next ones of their rooms, and returns the rooms. Only call it in a transaction. */
  fill(chunks: readonly FilledChunk[]): readonly number[] {
    const rooms = Map.groupBy(chunks, ({ groupId }) => groupId);
    for (const [groupId, ofRoom] of rooms) this.#fillRoom(groupId, ofRoom);
    return [...rooms.keys()];
  }

  #fillRoom(groupId: number, chunks: readonly FilledChunk[]): void {
    const room = this.#sql.room.one(groupId);
    if (room === null) return;
    const own = chunks.filter(
      ({ chunk }) => chunk >= room.indexed / messagesPerChunk && chunk < room.ready / messagesPerChunk,
    );
    const end = ((own.at(-1)?.chunk ?? -1) + 1) * messagesPerChunk;
    const messages = own.reduce((sum, one) => sum + one.messages, 0);
    if (messages === 0 || this.#sql.count.only(groupId, groupId, room.indexed, groupId, end) !== messages) return;
    const recalled = this.#sql.recalled.all(groupId, room.indexed + 1, end);
    for (const one of own) {
      this.#renew(one, recalled);
      this.#addChunk(room, one.chunk, one.bits);
    }
    this.#sql.advance(end, groupId);
  }

  /** Applies to a chunk what has changed since its messages were read. */
  #renew({ groupId, chunk, bits }: FilledChunk, recalled: readonly number[]): void {
    for (const [seq, terms] of this.#late.get(groupId) ?? [])
      if (chunkOf(seq) === chunk) addSignature(bits, seq, terms);
    for (const seq of recalled) if (chunkOf(seq) === chunk) clearSignature(bits, seq);
  }

  /**
   * Overwrites a chunk that is already in a block. If such chunks were deleted, SQLite would reuse their pages between pages with greater
   * numbers. It then swaps the numbers, and scans all cached pages at the end of the transaction.
   */
  #addChunk({ groupId, blocks }: RoomIndex, chunk: number, bits: Uint8Array): void {
    const isOver = this.#sql.overwriteChunk(chunk, bits, groupId, blocks * chunksPerBlock) > 0;
    if (!isOver) this.#sql.putChunk(groupId, chunk, bits);
  }

  /** Removes the terms of a recalled message. Only call it in the transaction that recalls the message. */
  remove(groupId: number, seq: number): void {
    const room = this.#sql.room.one(groupId);
    if (room === null || seq > room.indexed) return;
    if (blockOf(seq) < room.blocks) this.#blocks.remove(groupId, blockOf(seq), [seq]);
    for (const { chunk, bits } of this.#sql.chunks.all(groupId, chunkOf(seq), chunkOf(seq))) {
      clearSignature(bits, seq);
      this.#sql.putChunk(groupId, chunk, bits);
    }
  }

  /** True while messages of a room are moved into a block, which would not contain terms that are added now. */
  isMovingTerms(groupId: number): boolean {
    return this.#blocks.isMaking(groupId);
  }

  /** Adds terms to an indexed message. Only call it in a transaction. */
  addTerms(groupId: number, seq: number, terms: readonly number[]): void {
    const room = this.#sql.room.one(groupId);
    if (room === null || seq > room.indexed) return;
    if (blockOf(seq) < room.blocks) return this.#blocks.add(groupId, seq, terms);
    for (const { chunk, bits } of this.#sql.chunks.all(groupId, chunkOf(seq), chunkOf(seq))) {
      addSignature(bits, seq, terms);
      this.#sql.putChunk(groupId, chunk, bits);
    }
  }

  /** Adds the terms of new texts. Those of the old ones stay, and only cost a look. Only call it in the transaction that changes the message. */
  changeTerms(groupId: number, seq: number, terms: readonly number[]): void {
    const indexed = this.#sql.room.one(groupId)?.indexed ?? 0;
    const late = this.#late.get(groupId) ?? new Map<number, readonly number[]>();
    for (const at of late.keys()) if (at <= indexed) late.delete(at);
    if (seq > indexed) late.set(seq, terms);
    if (late.size > 0) this.#late.set(groupId, late);
    else this.#late.delete(groupId);
    if (seq > indexed) return;
    this.addTerms(groupId, seq, terms);
    if (this.#blocks.isMaking(groupId)) this.#blocks.addLater(groupId, seq, terms);
  }

  /** Notes that more messages of these rooms have terms: makes blocks if there are enough. */
  noteFilled(groupIds: readonly number[]): void {
    for (const groupId of groupIds) this.#blocks.make(groupId);
  }

  /** Starts the index of a room again after an import. Only call it in a transaction. */
  restart(groupId: number): void {
    this.#sql.dropSignatures(groupId);
    this.#sql.dropSlices(groupId);
    this.#sql.dropBlocks(groupId);
    this.#sql.begin(groupId);
  }
}
