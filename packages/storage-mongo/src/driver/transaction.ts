import type { Ref } from "./ref.ts";
import type { Change } from "@telex/core/storage";
import type { Document, Sort } from "mongodb";
import type { CollectionName, DocumentId, Documents } from "./documents.ts";
import type { Guesses } from "./guesses.ts";

/** How {@link Tx.list} sorts and limits. */
export interface ListOptions {
  readonly sort?: Sort;
  readonly limit?: number;
  readonly skip?: number;
}

/** Reads of several documents as of one moment. */
export interface Reads {
  /** The document, or null. One that was loaded before costs nothing. */
  readonly find: <Name extends CollectionName>(name: Name, id: DocumentId) => Promise<Documents[Name] | null>;
  /** Loads the documents that are not known yet, with one read per collection. */
  readonly load: (refs: readonly Ref[]) => Promise<void>;
  /** The documents that match. A transaction first writes the documents that were put. */
  readonly list: <Name extends CollectionName>(
    name: Name,
    filter: Document,
    options?: ListOptions,
  ) => Promise<Documents[Name][]>;
}

/** The reads and writes of a verb within a transaction. It sees its own writes, and those of the verbs before it. */
export interface Tx extends Reads {
  /** Stores a document, and replaces one with the same id. */
  readonly put: <Name extends CollectionName>(name: Name, document: Documents[Name]) => void;
  /** Stores a document whose id is not taken. */
  readonly add: <Name extends CollectionName>(name: Name, document: Documents[Name]) => void;
  /** Deletes a document. */
  readonly drop: (name: CollectionName, id: DocumentId) => void;
  /** Changes some fields of documents that were found. */
  readonly patch: <Name extends CollectionName>(
    name: Name,
    documents: readonly Documents[Name][],
    change: Partial<Documents[Name]>,
  ) => Promise<void>;
  /** Deletes all documents that match. */
  readonly dropAll: (name: CollectionName, filter: Document) => Promise<void>;
  /** Notes that a time-based id was taken: the transaction must commit soon. */
  readonly noteId: () => void;
  /** Puts a change into the feed, in the same transaction. */
  readonly report: (kind: Change["kind"], key: number | string) => void;
}

/** A transaction in progress. */
export interface Transaction extends Tx {
  /** Milliseconds since the first time-based id was taken; 0 without one. */
  readonly idAge: () => number;
  /** True if the transaction used a guess instead of reading a document. */
  readonly hasGuessed: () => boolean;
  /** Call it after the commit. */
  readonly remember: (guesses: Guesses) => void;
  /** Writes the documents that were put. */
  readonly flush: () => Promise<void>;
}
