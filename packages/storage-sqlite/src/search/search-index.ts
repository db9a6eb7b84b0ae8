import type { MessagePlace, MessageTerms } from "@telex/core/storage";
import type { Database } from "../database.ts";
import type { SearchBlocks } from "./blocks.ts";
import { addTerms, signatureBytes } from "./signature.ts";
import { blockOf, chunkOf, messagesPerChunk, prepareSearch } from "./tables.ts";

const prepare = (database: Database) => ({
  ...prepareSearch(database),
  putChunk: database.command("INSERT OR REPLACE INTO message_signatures (group_id, chunk, bits) VALUES (?, ?, ?)"),
  ready: database.command(`INSERT INTO search_rooms (group_id, ready, indexed, blocks) VALUES (?, ?, 0, 0)
    ON CONFLICT DO UPDATE SET ready = excluded.ready`),
  advance: database.command("UPDATE search_rooms SET indexed = ? WHERE group_id = ?"),
  dropSignatures: database.command("DELETE FROM message_signatures WHERE group_id = ?"),
  dropSlices: database.command("DELETE FROM message_slices WHERE group_id = ?"),
  dropBlocks: database.command("DELETE FROM message_blocks WHERE group_id = ?"),
  begin: database.command(`INSERT OR REPLACE INTO search_rooms (group_id, ready, indexed, blocks)
    SELECT group_id, max(seq) - max(seq) % ${messagesPerChunk}, 0, 0 FROM messages WHERE group_id = ? GROUP BY group_id`),
});

/** Messages that are indexed together. */
const together = 128;

/** Messages of one chunk. */
interface FilledChunk {
  readonly groupId: number;
  readonly chunk: number;
  readonly messages: number;
  readonly bits: Uint8Array;
}

/** The chunks that messages are in, with the signatures of these messages. */
export function chunksOf(messages: readonly MessageTerms[]): readonly FilledChunk[] {
  const chunks = Map.groupBy(messages, ({ groupId, seq }) => `${groupId}/${chunkOf(seq)}`);
  return Array.from(chunks.values(), (inChunk) => {
    const [{ groupId, seq } = { groupId: 0, seq: 1 }] = inChunk;
    const bits = new Uint8Array(messagesPerChunk * signatureBytes);
    for (const one of inChunk) addTerms(bits, ((one.seq - 1) % messagesPerChunk) * signatureBytes, one.terms);
    return { groupId, chunk: chunkOf(seq), messages: inChunk.length, bits };
  });
}

function clearSignature(bits: Uint8Array, seq: number): void {
  const at = ((seq - 1) % messagesPerChunk) * signatureBytes;
  bits.fill(0, at, at + signatureBytes);
}

/** What a search looks in. How far a room is indexed is a row of its own. */
export class SearchIndex {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #blocks: SearchBlocks;

  constructor(database: Database, blocks: SearchBlocks) {
    this.#sql = prepare(database);
    this.#blocks = blocks;
  }

  /** A message is stored: a full chunk can be indexed. Only in the transaction that stores it. */
  add({ groupId, seq }: MessagePlace): void {
    if (seq % messagesPerChunk === 0) this.#sql.ready(groupId, seq);
  }

  /** Messages without terms: whole chunks of one room. */
  listBacklog(): readonly MessagePlace[] {
    for (let room = this.#sql.backlogAfter.one(0); room !== null; room = this.#sql.backlogAfter.one(room.groupId)) {
      const messages = this.#sql.places.all(room.groupId, room.indexed, room.ready, together);
      const [first] = messages;
      // Records that are being put may lack messages in between.
      if (first !== undefined) {
        const end = chunkOf(first.seq) * messagesPerChunk + together;
        return messages.filter(({ seq }) => seq <= end);
      }
    }
    return [];
  }

  /** Keeps whole chunks, if they are the next ones of their rooms. Only in a transaction. Returns the rooms. */
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
    if (messages === 0 || this.#sql.count.only(groupId, room.indexed, end) !== messages) return;
    const recalled = this.#sql.recalled.all(groupId, room.indexed + 1, end);
    for (const { chunk, bits } of own) {
      for (const seq of recalled) if (chunkOf(seq) === chunk) clearSignature(bits, seq);
      this.#sql.putChunk(groupId, chunk, bits);
    }
    this.#sql.advance(end, groupId);
  }

  /** A message was recalled: nothing of its text stays. Only in the transaction that recalls it. */
  remove(groupId: number, seq: number): void {
    const room = this.#sql.room.one(groupId);
    if (room === null || seq > room.indexed) return;
    if (blockOf(seq) < room.blocks) return this.#blocks.remove(groupId, blockOf(seq), [seq]);
    for (const { chunk, bits } of this.#sql.chunks.all(groupId, chunkOf(seq), chunkOf(seq))) {
      clearSignature(bits, seq);
      this.#sql.putChunk(groupId, chunk, bits);
    }
  }

  /** More messages of these rooms have terms: makes blocks of them where there are enough. */
  filled(groupIds: readonly number[]): void {
    for (const groupId of groupIds) this.#blocks.make(groupId);
  }

  /** The messages of a room were put from elsewhere: all of them are to get terms again. Only in a transaction. */
  restart(groupId: number): void {
    this.#sql.dropSignatures(groupId);
    this.#sql.dropSlices(groupId);
    this.#sql.dropBlocks(groupId);
    this.#sql.begin(groupId);
  }
}
