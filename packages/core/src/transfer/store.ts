import type { RecordKey } from "./key.ts";
import type { RecordKind, Records } from "./records.ts";

/** The records that {@link RecordStore.list} returns. */
export interface RecordPage {
  /** Only records with a greater key; all when null. It need not be the key of a record. */
  readonly after: RecordKey | null;
  /** 1 and above. */
  readonly limit: number;
}

/**
 * All data of a storage as plain records, to copy it to another storage and back with every id, order and time unchanged. No
 * server may use the storage at the same time: changes by `put` are not in the change feed, and data that a server keeps in memory is
 * not updated.
 */
export interface RecordStore {
  /**
   * Records of a kind by key (`recordKey`; numbers by size, texts by their bytes in UTF-8, false before true), at most
   * `limit`. Fewer than `limit` means that there are no more. `counters` are all listed, including those that are 0.
   */
  list<Kind extends RecordKind>(kind: Kind, page: RecordPage): Promise<readonly Records[Kind][]>;

  /**
   * Stores records unchanged, all or nothing, and replaces records with the same keys, so a repeated call changes nothing. The
   * records that they refer to MUST exist. The records of a kind are given in the order of their keys, in any number of calls.
   * A repeat after a failure starts again where an earlier call began, and no earlier. A counter is never lowered, and an id
   * that was put is never assigned again, so the counters also cover ids whose records were deleted.
   */
  put<Kind extends RecordKind>(kind: Kind, records: readonly Records[Kind][]): Promise<void>;

  /** The number of records of a kind. */
  count(kind: RecordKind): Promise<number>;
}
