import type { Database } from "../database.ts";
import type { GroupCommit } from "../group-commit.ts";
import { prepareMessages } from "../messages-sql.ts";
import { integer, type Row } from "../rows.ts";
import { signatureBits, signatureBytes } from "./signature.ts";
import { chunksPerBlock, messagesPerBlock, messagesPerChunk, prepareSearch } from "./tables.ts";

interface Times {
  readonly oldest: number;
  readonly newest: number;
}

const readTimes = (row: Row): Times => ({ oldest: integer(row, "oldest"), newest: integer(row, "newest") });

const prepare = (database: Database) => ({
  ...prepareSearch(database),
  idAt: prepareMessages(database).idAt,
  keepSlice: database.command("INSERT OR REPLACE INTO message_slices (group_id, block, bit, bits) VALUES (?, ?, ?, ?)"),
  keepBlock: database.command(
    "INSERT OR IGNORE INTO message_blocks (group_id, block, oldest, newest) VALUES (?, ?, ?, ?)",
  ),
  dropChunks: database.command("DELETE FROM message_signatures WHERE group_id = ? AND chunk BETWEEN ? AND ?"),
  times: database.query(
    `SELECT min(create_time) AS oldest, max(create_time) AS newest FROM messages WHERE group_id = ? AND seq BETWEEN ? AND ?`,
    readTimes,
  ),
});

/** Rows that are read, written or deleted in one tick: a block delays nobody for longer than about a millisecond. */
const part = 64;
const wordsPerSignature = signatureBytes / 4;
/** Bytes of one bit of all messages of a block. */
const sliceBytes = messagesPerBlock / 8;

/**
 * Makes blocks of the oldest messages with signatures of their own. A search in a block reads the few bits that it asks for.
 * What is found is the same before and after, so that a kill at any moment does no harm.
 */
export class SearchBlocks {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #busy = new Set<number>();

  constructor(database: Database, commit: GroupCommit) {
    this.#database = database;
    this.#commit = commit;
    this.#sql = prepare(database);
  }

  /** Makes the blocks of a room for which there are messages enough, in the background. */
  make(groupId: number): void {
    if (this.#busy.has(groupId)) return;
    this.#busy.add(groupId);
    const makeAll = async (): Promise<void> => {
      while (await this.#makeNext(groupId)) continue;
    };
    // A closed or full storage: the room looks again after some messages.
    makeAll()
      .catch(() => undefined)
      .finally(() => this.#busy.delete(groupId));
  }

  async #makeNext(groupId: number): Promise<boolean> {
    const block = (this.#sql.lastBlock.one(groupId) ?? -1) + 1;
    const first = block * chunksPerBlock;
    if (!this.#isReady(groupId, (block + 1) * messagesPerBlock)) return false;
    // What a kill has left behind.
    await this.#commit.write(() => void this.#sql.dropChunks(groupId, 0, first - 1));
    const slices = await this.#turn(groupId, first);
    if (slices === null) return false;
    for (let bit = 0; bit < signatureBits; bit += part) {
      await this.#commit.write(() => this.#keep({ groupId, block, bit }, slices));
    }
    const { oldest, newest } = await this.#timesOf(groupId, block);
    await this.#commit.write(() => void this.#sql.keepBlock(groupId, block, oldest, newest));
    for (let chunk = first; chunk < first + chunksPerBlock; chunk += part) {
      await this.#commit.write(() => void this.#sql.dropChunks(groupId, chunk, chunk + part - 1));
    }
    return true;
  }

  /** Whether all messages up to this place are stored and have their signatures: a block gets none later. */
  #isReady(groupId: number, end: number): boolean {
    if (this.#sql.idAt.one(groupId, end) === null) return false;
    const backlog = this.#sql.backlogOf.one(groupId);
    return backlog === null || backlog.done >= Math.min(backlog.upTo, end);
  }

  /** The signatures of a block, turned: for each bit the messages that have it. Null if the block is not full. */
  async #turn(groupId: number, first: number): Promise<Uint8Array | null> {
    const slices = new Uint8Array(signatureBits * sliceBytes);
    for (let from = first; from < first + chunksPerBlock; from += part) {
      const chunks = await this.#database.read(() => this.#sql.chunks.all(groupId, from, from + part - 1));
      if (chunks.length < part) return null;
      for (const { chunk, bits } of chunks) turnChunk(slices, (chunk - first) * messagesPerChunk, bits);
    }
    return slices;
  }

  #keep({ groupId, block, bit }: { groupId: number; block: number; bit: number }, slices: Uint8Array): void {
    for (let at = bit; at < bit + part; at += 1) {
      const slice = slices.subarray(at * sliceBytes, (at + 1) * sliceBytes);
      if (slice.some((byte) => byte !== 0)) this.#sql.keepSlice(groupId, block, at, slice);
    }
  }

  /** Between which times the messages of a block were created. */
  async #timesOf(groupId: number, block: number): Promise<Times> {
    const times: Times[] = [];
    for (let chunk = block * chunksPerBlock; chunk < (block + 1) * chunksPerBlock; chunk += part) {
      const first = chunk * messagesPerChunk + 1;
      const last = first + part * messagesPerChunk - 1;
      times.push(await this.#database.read(() => this.#sql.times.only(groupId, first, last)));
    }
    return {
      oldest: Math.min(...times.map(({ oldest }) => oldest)),
      newest: Math.max(...times.map(({ newest }) => newest)),
    };
  }
}

/** Adds the signatures of a chunk, whose first message is number `first` of the block. */
function turnChunk(slices: Uint8Array, first: number, bits: Uint8Array): void {
  const words = new Uint32Array(bits.buffer, bits.byteOffset, bits.byteLength / 4);
  for (let at = 0; at < words.length; at += 1) {
    const message = first + Math.floor(at / wordsPerSignature);
    const firstBit = (at % wordsPerSignature) * 32;
    const place = message >> 3;
    const mask = 1 << (message & 7);
    for (let left = words[at] ?? 0; left !== 0; left &= left - 1) {
      const slice = (firstBit + 31 - Math.clz32(left & -left)) * sliceBytes + place;
      slices[slice] = (slices[slice] ?? 0) | mask;
    }
  }
}
