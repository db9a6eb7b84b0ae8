import type { RecordKey, RecordKind, Records } from "@telex/core/storage";

/** The records of one kind, within a step. */
export interface Table<Entry> {
  /** All of them, in any order. */
  readonly all: () => Iterable<Entry>;
  /** Keeps one as it is, in place of the one with the same key. */
  readonly put: (record: Entry) => void;
  /** All of them by key, as they were at some step: for who reads page by page. */
  sorted?: { readonly step: number; readonly entries: readonly { readonly key: RecordKey; readonly record: Entry }[] };
}

/** The records of some kinds. */
export type Tables<Kind extends RecordKind = RecordKind> = { readonly [One in Kind]: Table<Records[One]> };

/** A store and the same as records. */
export interface Kept<Store, Kind extends RecordKind> {
  readonly store: Store;
  readonly tables: Tables<Kind>;
}
