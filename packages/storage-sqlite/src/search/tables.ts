import type { Database } from "../database.ts";
import { blob, integer, type Row } from "../rows.ts";

/** Signatures in one row of the newest messages of a room. */
export const messagesPerChunk = 8;
/** Messages in a block: their signatures are turned, and one row has one bit of all of them. */
export const messagesPerBlock = 4096;
/** Rows of signatures that make a block. */
export const chunksPerBlock = messagesPerBlock / messagesPerChunk;

/** Where a message lies. */
export interface Placed {
  readonly groupId: number;
  readonly seq: number;
}

/** The place of a message in its chunk. */
export const chunkOf = (seq: number): { readonly chunk: number; readonly slot: number } => ({
  chunk: Math.floor((seq - 1) / messagesPerChunk),
  slot: (seq - 1) % messagesPerChunk,
});

/** The block of a message. */
export const blockOf = (seq: number): number => Math.floor((seq - 1) / messagesPerBlock);

const readChunk = (row: Row) => ({ chunk: integer(row, "chunk"), bits: blob(row, "bits") });

/** The part of a room whose messages have no terms yet. */
interface Backlog {
  readonly groupId: number;
  /** Messages up to this place have terms. */
  readonly done: number;
  /** Messages above this place have terms. */
  readonly upTo: number;
}

const readBacklog = (row: Row): Backlog => ({
  groupId: integer(row, "group_id"),
  done: integer(row, "done"),
  upTo: integer(row, "up_to"),
});

const readBounds = (row: Row) => ({ oldest: integer(row, "oldest"), newest: integer(row, "newest") });
const readPlace = (row: Row) => ({ seq: integer(row, "seq"), id: integer(row, "id") });

/** The statements of the search, apart so that a test can ask SQLite how it runs them. */
export const searchSql = {
  chunks: "SELECT chunk, bits FROM message_signatures WHERE group_id = ? AND chunk BETWEEN ? AND ? ORDER BY chunk DESC",
  slice: "SELECT bits FROM message_slices WHERE group_id = ? AND block = ? AND bit = ?",
  bounds: "SELECT oldest, newest FROM message_blocks WHERE group_id = ? AND block = ?",
  lastBlock: "SELECT block FROM message_blocks WHERE group_id = ? ORDER BY block DESC LIMIT 1",
  below: "SELECT seq, id FROM messages WHERE group_id = ? AND id < ? ORDER BY id DESC LIMIT 1",
  isRecalled: "SELECT 1 AS found FROM message_recalls WHERE group_id = ? AND seq = ?",
  backlogOf: "SELECT group_id, done, up_to FROM search_backlog WHERE group_id = ?",
  firstBacklog: "SELECT group_id, done, up_to FROM search_backlog ORDER BY group_id LIMIT 1",
} as const;

/** The statements that both searching and indexing use. */
export const prepareSearch = (database: Database) => ({
  chunks: database.query(searchSql.chunks, readChunk),
  slice: database.query(searchSql.slice, (row) => blob(row, "bits")),
  bounds: database.query(searchSql.bounds, readBounds),
  lastBlock: database.query(searchSql.lastBlock, (row) => integer(row, "block")),
  below: database.query(searchSql.below, readPlace),
  isRecalled: database.query(searchSql.isRecalled, (row) => integer(row, "found")),
  backlogOf: database.query(searchSql.backlogOf, readBacklog),
  firstBacklog: database.query(searchSql.firstBacklog, readBacklog),
});
