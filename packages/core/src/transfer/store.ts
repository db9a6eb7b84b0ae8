import type { RecordKey } from "./key.ts";
import type { RecordKind, Records } from "./records.ts";

/** Which records {@link RecordStore.list} answers. */
export interface RecordPage {
  /** Only records with a greater key; all when null. It need not be the key of a record. */
  readonly after: RecordKey | null;
  /** 1 and above. */
  readonly limit: number;
}

/**
 * Everything that a storage keeps, as plain records: for moving it to another storage and back, with every id, place and
 * time as it is. For a storage on which nobody else works meanwhile: what `put` changes is not in the change feed, and what
 * a server keeps in memory is not told.
 */
export interface RecordStore {
  /**
   * Records of a kind by key (`recordKeys`; numbers by size, texts by their bytes in UTF-8, false before true), at most
   * `limit`. Fewer than `limit` means that there are no more. Of `counters` all are told, also those that are 0.
   */
  list<Kind extends RecordKind>(kind: Kind, page: RecordPage): Promise<readonly Records[Kind][]>;

  /**
   * Keeps records as they are, all or nothing, in place of any with the same keys: putting twice changes nothing. What they
   * name MUST be there. The records of a kind come by key, in as many calls as one likes; one that is repeated after a
   * failure goes back to where an earlier call began, and no further. A counter is never lowered, and an id that was put is
   * never given again, so the counters themselves say what was given and is gone.
   */
  put<Kind extends RecordKind>(kind: Kind, records: readonly Records[Kind][]): Promise<void>;

  /** How many records of a kind there are. */
  count(kind: RecordKind): Promise<number>;
}
