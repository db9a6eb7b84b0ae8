import type { RecordKey, RecordKind, Records } from "@telex/core/storage";

/** The records of one kind. Only used within a step. */
export interface Table<Entry> {
  /** All of them, in any order. */
  readonly all: () => Iterable<Entry>;
  /** Stores a record unchanged, and replaces the one with the same key. */
  readonly put: (record: Entry) => void;
  /** All of them by key, as of a step. Speeds up reading page by page. */
  sorted?: { readonly step: number; readonly entries: readonly { readonly key: RecordKey; readonly record: Entry }[] };
}

/** The records of some kinds. */
export type Tables<Kind extends RecordKind = RecordKind> = { readonly [One in Kind]: Table<Records[One]> };

/** A store, and its data as records. */
export interface Kept<Store, Kind extends RecordKind> {
  readonly store: Store;
  readonly tables: Tables<Kind>;
}
