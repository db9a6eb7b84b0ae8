import { open, truncate } from "node:fs/promises";
import { join } from "node:path";
import { compareKeys, keyOf, parseRecord } from "@telex/core/storage";
import { linesOf, TransferError } from "@telex/transfer";
import type { RecordKey, RecordKind, RecordPage, Records, RecordStore } from "@telex/core/storage";
import { codeOf } from "../errors/errors.ts";
import { makeFolder } from "../storage/place.ts";
import { syncFolder } from "./durable.ts";
import { readLines } from "./lines.ts";

/** A position from which a reader continues after a key. */
interface Position {
  readonly after: RecordKey;
  /** Bytes. */
  readonly offset: number;
}

/**
 * Records as files in a folder: a file for each kind, a line for each record, ordered by key. Files only grow: `put` ignores existing
 * keys, and a line that a crash cut off is removed before the next one is written.
 */
export class NdjsonRecords implements RecordStore {
  readonly #folder: string;
  readonly #positions = new Map<RecordKind, Position>();
  /** The greatest key of each file that was read. */
  readonly #newest = new Map<RecordKind, RecordKey | null>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file of a kind. */
  fileOf(kind: RecordKind): string {
    return join(this.#folder, `${kind}.ndjson`);
  }

  async list<Kind extends RecordKind>(kind: Kind, { after, limit }: RecordPage): Promise<readonly Records[Kind][]> {
    const position = this.#positions.get(kind);
    const isNext = after !== null && position !== undefined && compareKeys(position.after, after) === 0;
    const records: Records[Kind][] = [];
    for await (const { text, end } of readLines(this.fileOf(kind), isNext ? position.offset : 0)) {
      const record = this.#read(kind, text);
      const key = keyOf(kind, record);
      if (after !== null && compareKeys(key, after) <= 0) continue;
      records.push(record);
      this.#positions.set(kind, { after: key, offset: end });
      if (records.length === limit) break;
    }
    return records;
  }

  async put<Kind extends RecordKind>(kind: Kind, records: readonly Records[Kind][]): Promise<void> {
    const newest = this.#newest.has(kind) ? (this.#newest.get(kind) ?? null) : await this.#recover(kind);
    const fresh = newest === null ? records : records.filter((record) => compareKeys(keyOf(kind, record), newest) > 0);
    const last = fresh.at(-1);
    if (last === undefined) return;
    await this.#append(kind, linesOf(kind, fresh));
    this.#newest.set(kind, keyOf(kind, last));
  }

  async count(kind: RecordKind): Promise<number> {
    let count = 0;
    for await (const { end } of readLines(this.fileOf(kind), 0)) count += Math.sign(end);
    return count;
  }

  async #append(kind: RecordKind, lines: string): Promise<void> {
    await makeFolder(this.#folder);
    await using handle = await open(this.fileOf(kind), "a", 0o600);
    await handle.writeFile(lines);
    await handle.sync();
    if (this.#newest.get(kind) === null) await syncFolder(this.#folder);
  }

  /** Finds the last record of an earlier process, and removes an incomplete line. */
  async #recover(kind: RecordKind): Promise<RecordKey | null> {
    let newest: RecordKey | null = null;
    let length = 0;
    for await (const { text, end } of readLines(this.fileOf(kind), 0)) {
      newest = keyOf(kind, this.#read(kind, text));
      length = end;
    }
    await truncate(this.fileOf(kind), length).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });
    this.#newest.set(kind, newest);
    return newest;
  }

  #read<Kind extends RecordKind>(kind: Kind, text: string): Records[Kind] {
    try {
      return parseRecord(kind, JSON.parse(text));
    } catch (cause) {
      if (cause instanceof TransferError) throw cause;
      throw new TransferError("invalid_record", `${this.fileOf(kind)} has a line that is not JSON.`, { cause });
    }
  }
}
