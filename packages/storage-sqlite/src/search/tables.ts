import type { Database } from "../engine/database.ts";
import { blob, integer, type Row, textOrNull } from "../engine/rows.ts";

/** Signatures in one row. They are written together when a room has this many messages without terms. */
export const messagesPerChunk = 16;
/** Messages in a block: their signatures are transposed, so that one row has one bit of all of them. */
export const messagesPerBlock = 4096;
/** Rows of signatures in a block. */
export const chunksPerBlock = messagesPerBlock / messagesPerChunk;

/** The chunk of a message. */
export const chunkOf = (seq: number): number => Math.floor((seq - 1) / messagesPerChunk);

/** The block of a message. */
export const blockOf = (seq: number): number => Math.floor((seq - 1) / messagesPerBlock);

/** How far a room is indexed. */
export interface RoomIndex {
  readonly groupId: number;
  /** Messages up to this position fill complete chunks. */
  readonly ready: number;
  /** Messages up to this position have signatures. */
  readonly indexed: number;
  /** The number of blocks, which have the signatures of the oldest messages. */
  readonly blocks: number;
}

const readRoom = (row: Row): RoomIndex => ({
  groupId: integer(row, "group_id"),
  ready: integer(row, "ready"),
  indexed: integer(row, "indexed"),
  blocks: integer(row, "blocks"),
});

const readPosition = (row: Row) => ({
  groupId: integer(row, "group_id"),
  seq: integer(row, "seq"),
  id: integer(row, "id"),
});
const numbersIn = (row: Row, name: string): readonly number[] => textOrNull(row, name)?.split(",").map(Number) ?? [];
const readBounds = (row: Row) => ({ oldest: integer(row, "oldest"), newest: integer(row, "newest") });
/** The signatures of neighbouring messages. */
export interface SignatureChunk {
  readonly chunk: number;
  readonly bits: Uint8Array;
}

const readChunk = (row: Row): SignatureChunk => ({ chunk: integer(row, "chunk"), bits: blob(row, "bits") });

const room = "SELECT group_id, ready, indexed, blocks FROM search_rooms";
const backlog = `${room} INDEXED BY search_backlog WHERE indexed < ready`;

/** The id of the newest message up to a position. */
const idUpTo = "coalesce((SELECT id FROM messages WHERE group_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1), 0)";

/** The statements of the search, exported for a test of their query plans. */
export const searchSql = {
  room: `${room} WHERE group_id = ?`,
  backlogAfter: `${backlog} AND group_id > ? ORDER BY group_id LIMIT 1`,
  tops: `SELECT m.group_id, m.seq, m.id FROM json_each(?) AS room JOIN messages AS m ON m.group_id = room.value
    AND m.id = (SELECT max(id) FROM messages WHERE group_id = room.value AND id < ?)`,
  // One row, because each row is an object. By id, which increases with seq, because the index of ids does not contain the texts.
  positions: `SELECT group_concat(seq) AS seqs, group_concat(id) AS ids FROM (SELECT seq, id FROM messages
    WHERE group_id = ? AND id > ${idUpTo} AND seq <= ? ORDER BY id LIMIT ?)`,
  count: `SELECT count(*) AS messages FROM messages
    WHERE group_id = ? AND id > ${idUpTo} AND id <= ${idUpTo}`,
  idFrom: "SELECT id FROM messages WHERE group_id = ? AND seq >= ? ORDER BY seq LIMIT 1",
  chunks: "SELECT chunk, bits FROM message_signatures WHERE group_id = ? AND chunk BETWEEN ? AND ? ORDER BY chunk DESC",
  slice: "SELECT bits FROM message_slices WHERE group_id = ? AND block = ? AND bit = ?",
  slices: "SELECT bit, bits FROM message_slices WHERE group_id = ? AND block = ?",
  bounds: "SELECT oldest, newest FROM message_blocks WHERE group_id = ? AND block = ?",
  recalled: "SELECT seq FROM message_recalls WHERE group_id = ? AND seq BETWEEN ? AND ?",
} as const;

/** The statements that both searching and indexing use. */
export const prepareSearch = (database: Database) => ({
  room: database.query(searchSql.room, readRoom),
  backlogAfter: database.query(searchSql.backlogAfter, readRoom),
  tops: database.query(searchSql.tops, readPosition),
  positions: database.query(searchSql.positions, (row) => ({
    seqs: numbersIn(row, "seqs"),
    ids: numbersIn(row, "ids"),
  })),
  count: database.query(searchSql.count, (row) => integer(row, "messages")),
  idFrom: database.query(searchSql.idFrom, (row) => integer(row, "id")),
  chunks: database.query(searchSql.chunks, readChunk),
  slice: database.query(searchSql.slice, (row) => blob(row, "bits")),
  slices: database.query(searchSql.slices, (row) => ({ bit: integer(row, "bit"), bits: blob(row, "bits") })),
  bounds: database.query(searchSql.bounds, readBounds),
  recalled: database.query(searchSql.recalled, (row) => integer(row, "seq")),
});
