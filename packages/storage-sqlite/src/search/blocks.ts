import { setImmediate as nextTick } from "node:timers/promises";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { integer, type Row } from "../engine/rows.ts";
import { bitsOfTerms, signatureBits } from "./signature.ts";
import { blockOf, chunksPerBlock, messagesPerBlock, messagesPerChunk, prepareSearch } from "./tables.ts";
import { sliceBytes, emptySlice, transposeChunk } from "./slices.ts";

interface Times {
  readonly oldest: number;
  readonly newest: number;
}

const readTimes = (row: Row): Times => ({ oldest: integer(row, "oldest"), newest: integer(row, "newest") });

const prepare = (database: Database) => ({
  ...prepareSearch(database),
  keepSlice: database.command("INSERT OR REPLACE INTO message_slices (group_id, block, bit, bits) VALUES (?, ?, ?, ?)"),
  keepBlock: database.command(
    "INSERT OR REPLACE INTO message_blocks (group_id, block, oldest, newest) VALUES (?, ?, ?, ?)",
  ),
  raise: database.command(
    "UPDATE search_rooms SET blocks = blocks + 1 WHERE group_id = ? AND blocks = ? AND indexed >= ?",
  ),
  times: database.query(
    `SELECT coalesce(min(create_time), ${Number.MAX_SAFE_INTEGER}) AS oldest, coalesce(max(create_time), 0) AS newest
      FROM messages WHERE group_id = ? AND seq BETWEEN ? AND ?`,
    readTimes,
  ),
});

/** Rows of bits that are written in one tick, which takes two or three milliseconds. */
const slicesOfTick = 512;

/** Chunks that are read in one tick. */
const chunksOfTick = 16;

/**
 * Combines the signatures of the oldest messages into blocks. A search in a block only reads the bits that it needs.
 * The matches are the same before and after, so a kill at any moment does no harm.
 */
export class SearchBlocks {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #busy = new Set<number>();
  /** Terms that were added to messages while a block of their room was in progress. */
  readonly #later = new Map<number, { readonly seq: number; readonly terms: readonly number[] }[]>();

  constructor(database: Database, commit: GroupCommit) {
    this.#database = database;
    this.#commit = commit;
    this.#sql = prepare(database);
  }

  /** Makes the blocks of a room for which there are enough messages, in the background. */
  make(groupId: number): void {
    if (this.#busy.has(groupId)) return;
    this.#busy.add(groupId);
    const makeAll = async (): Promise<void> => {
      while (await this.#makeNext(groupId)) continue;
    };
    // Fails if the storage is closed or full. The room tries again after some messages.
    makeAll()
      .catch(() => undefined)
      .finally(() => {
        this.#busy.delete(groupId);
        this.#later.delete(groupId);
      });
  }

  /** True while a block of this room is being made. */
  isMaking(groupId: number): boolean {
    return this.#busy.has(groupId);
  }

  /** Adds terms to a message when the block in progress is complete, because its signatures may have been read. */
  addLater(groupId: number, seq: number, terms: readonly number[]): void {
    this.#later.set(groupId, [...(this.#later.get(groupId) ?? []), { seq, terms }]);
  }

  /** Adds terms to a message of a block. Only call it in a transaction. */
  add(groupId: number, seq: number, terms: readonly number[]): void {
    const [block, position] = [blockOf(seq), (seq - 1) % messagesPerBlock];
    for (const bit of bitsOfTerms(terms)) {
      const bits = this.#sql.slice.one(groupId, block, bit) ?? new Uint8Array(sliceBytes);
      const before = bits[position >> 3] ?? 0;
      bits[position >> 3] = before | (1 << (position & 7));
      if (bits[position >> 3] !== before) this.#sql.keepSlice(groupId, block, bit, bits);
    }
  }

  /** Removes recalled messages from a block. Only call it in a transaction. */
  remove(groupId: number, block: number, seqs: readonly number[]): void {
    const positions = seqs.map((seq) => (seq - 1) % messagesPerBlock);
    for (const { bit, bits } of this.#sql.slices.all(groupId, block)) {
      const set = positions.filter((position) => (((bits[position >> 3] ?? 0) >> (position & 7)) & 1) === 1);
      if (set.length === 0) continue;
      for (const position of set) bits[position >> 3] = (bits[position >> 3] ?? 0) & ~(1 << (position & 7));
      this.#sql.keepSlice(groupId, block, bit, bits);
    }
  }

  #recalledIn(groupId: number, block: number): readonly number[] {
    return this.#sql.recalled.all(groupId, block * messagesPerBlock + 1, (block + 1) * messagesPerBlock);
  }

  async #makeNext(groupId: number): Promise<boolean> {
    const { blocks: block, indexed } = this.#sql.room.one(groupId) ?? { blocks: 0, indexed: 0 };
    const end = (block + 1) * messagesPerBlock;
    if (indexed < end) return false;
    const first = block * chunksPerBlock;
    const recalled = await this.#database.read(() => this.#recalledIn(groupId, block));
    const slices = await this.#transpose(groupId, first);
    for (let bit = 0; bit < signatureBits; bit += slicesOfTick) {
      await this.#commit.writeAlong(() => this.#keep({ groupId, block, bit }, slices));
    }
    const { oldest, newest } = await this.#timesOf(groupId, first);
    return this.#commit.writeAlong(() => {
      // Fails if its messages were stored again in between.
      if (this.#sql.raise(groupId, block, end) === 0) return false;
      this.#sql.keepBlock(groupId, block, oldest, newest);
      for (const { seq, terms } of this.#later.get(groupId) ?? [])
        if (blockOf(seq) === block) this.add(groupId, seq, terms);
      const since = this.#recalledIn(groupId, block).filter((seq) => !recalled.includes(seq));
      if (since.length > 0) this.remove(groupId, block, since);
      return true;
    });
  }

  /** The signatures of a block, transposed: for each bit, the messages that have it. */
  async #transpose(groupId: number, first: number): Promise<Uint8Array> {
    const slices = new Uint8Array(signatureBits * sliceBytes);
    for (let from = first; from < first + chunksPerBlock; from += chunksOfTick) {
      const chunks = await this.#database.read(() => this.#sql.chunks.all(groupId, from, from + chunksOfTick - 1));
      for (const { chunk, bits } of chunks) transposeChunk(slices, (chunk - first) * messagesPerChunk, bits);
      await nextTick();
    }
    return slices;
  }

  #keep({ groupId, block, bit }: { groupId: number; block: number; bit: number }, slices: Uint8Array): void {
    for (let at = bit; at < bit + slicesOfTick; at += 1) {
      const slice = slices.subarray(at * sliceBytes, (at + 1) * sliceBytes);
      if (!emptySlice.equals(slice)) this.#sql.keepSlice(groupId, block, at, slice);
    }
  }

  /** The times between which the messages of a block were created. */
  async #timesOf(groupId: number, firstChunk: number): Promise<Times> {
    const times: Times[] = [];
    for (let chunk = firstChunk; chunk < firstChunk + chunksPerBlock; chunk += chunksOfTick) {
      const first = chunk * messagesPerChunk + 1;
      const last = first + chunksOfTick * messagesPerChunk - 1;
      times.push(await this.#database.read(() => this.#sql.times.only(groupId, first, last)));
      await nextTick();
    }
    return {
      oldest: Math.min(...times.map(({ oldest }) => oldest)),
      newest: Math.max(...times.map(({ newest }) => newest)),
    };
  }
}
