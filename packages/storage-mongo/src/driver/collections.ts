import { type CollectionName, type Documents, recordOf, type DocumentId, idOf } from "./documents.ts";
import type { RecordKind, Records } from "@telex/core/storage";
import type { Collection, Db } from "mongodb";
/** The root of all verbs that report changes: the feed numbers changes sequentially. */
export const feedRoot = "changes";

/** The root of every verb that changes messages of a room. */
export const roomRoot = (groupId: number): string => `room ${groupId}`;

/**
 * Options to read one document by a unique key from the primary for certain: a deposed primary that does not know it yet answers other reads
 * with old data. For such a read, the database writes a no-op to its log and waits for a majority.
 */
export const asPrimary = { readConcern: { level: "linearizable" }, maxTimeMS: 5000 } as const;

export const collectionOf = <Name extends CollectionName>(db: Db, name: Name): Collection<Documents[Name]> =>
  db.collection<Documents[Name]>(name);

/** The record in a document, or null. */
export const recordOrNull = <Kind extends RecordKind>(
  kind: Kind,
  document: Records[Kind] | null,
): Records[Kind] | null => (document === null ? null : recordOf(kind, document));

/** The records in documents. */
export const recordsOf = <Kind extends RecordKind>(kind: Kind, documents: readonly Records[Kind][]): Records[Kind][] =>
  documents.map((document) => recordOf(kind, document));

/** A record with its id, for a kind whose documents have no other fields. */
export const plain = <Kind extends RecordKind>(
  kind: Kind,
  record: Records[Kind],
): Records[Kind] & { readonly _id: DocumentId } => ({
  ...record,
  _id: idOf(kind, record),
});
