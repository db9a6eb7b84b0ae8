import type { Binary } from "mongodb";
import {
  type Change,
  type LinkRecord,
  type SessionRecord,
  type Settlement,
  recordDefaults,
  recordFields,
  recordKey,
  type RecordKind,
  recordKinds,
  type Records,
} from "@telex/core/storage";
import type { PortableCall, PortableResult } from "./portable-calls.ts";

/** A part of a document id. Flags are 0 or 1, as in `RecordKey`. */
type IdPart = string | number;

/**
 * The id of a document: the key of its record. Several fields form one subdocument, which MongoDB sorts in the order of the key, so
 * the index of ids also serves ranges. The names are letters, because JavaScript would reorder digits.
 */
export type DocumentId = IdPart | { readonly a: IdPart; readonly b: IdPart; readonly c?: IdPart; readonly d?: IdPart };

/** Fields of a document besides those of its record. */
interface Extras {
  /** Changed by each verb that reads the account and writes something that belongs to it. */
  readonly accounts: { readonly turn?: number };
  /** Changed by each verb that stores an artifact. */
  readonly grants: { readonly turn?: number };
  readonly devices: {
    /** Undelivered messages, held or not. */
    readonly waiting: number;
    /** The greatest id of its messages, or 0. */
    readonly newest: number;
    /** The greatest id of a message of an earlier device with this ID. */
    readonly floor: number;
    /** The holder of the queue until `until` (Unix milliseconds of the database), or null. Undefined before the first holder. */
    readonly holder?: string | null;
    readonly until?: number;
  };
  /** The greatest id of a message of a released device. */
  readonly deviceGenerations: { readonly newest: number };
  readonly deviceMessages: {
    /** Always null and 0. Servers of the previous version read them. */
    readonly holder: null;
    readonly until: 0;
  };
  readonly messages: {
    readonly terms: readonly number[];
    /** Only if the message has no terms yet. */
    readonly unindexed?: true;
    /**
     * 1 if this version stored the message, 2 if it also indexed its terms or renewed it. Earlier versions write none.
     */
    readonly edition?: 1 | 2;
    /** Only if the message was recalled. */
    readonly isRecalled?: true;
    /** The number of notices in the room up to and including this message. Only if there are any. */
    readonly notices?: number;
  };
  readonly messageRecalls: { readonly messageId: number };
  /** Changed by each verb that uses the file. */
  readonly files: { readonly rev?: number };
  /** The settlement of an expired reservation. Only for a reply that takes longer. */
  readonly reservations: { readonly soFar?: Settlement };
  readonly conversations: { /** The greatest id of its messages. */ readonly newest: number };
}

type ExtrasOf<Kind> = Kind extends keyof Extras ? Extras[Kind] : unknown;

/** A document of a kind of record. */
type Stored<Kind extends RecordKind> = Records[Kind] & ExtrasOf<Kind> & { readonly _id: DocumentId };

/** Documents that are not records. The store needs them to keep the promises of its verbs. */
interface OwnDocuments {
  /** The head of a room: the root of every verb on its messages. */
  readonly heads: {
    readonly _id: number;
    /** How many messages there are. */
    readonly seq: number;
    /** The id of the newest message. */
    readonly last: number;
    /** The greatest id of a message or a recall. */
    readonly newest: number;
    /** How many messages are notices. Missing before the first one. */
    readonly notices?: number;
    /** Changed by each verb that stores no message, so that it conflicts with those that do. */
    readonly rev?: number;
  };
  /** Roots without a document of their own: a user's AI quota, and a share of uploads. */
  readonly quotas: { readonly _id: string; readonly rev: number };
  /** Sessions of accounts, by their ids. */
  readonly signIns: SessionRecord & { readonly _id: string };
  /** Links, by their ids. */
  readonly links: LinkRecord & { readonly _id: string };
  /** The change feed, by number. */
  readonly changes: {
    readonly _id: number;
    readonly kind: Change["kind"];
    readonly key: string;
    /** Unix milliseconds. */
    readonly at: number;
  };
  /** Single numbers: `changes` is the number of the latest change. */
  readonly numbers: { readonly _id: string; readonly value: number };
  /** Server numbers, the lock of the migration, and the leases of servers. */
  readonly leases: {
    readonly _id: string;
    readonly holder: string;
    readonly until: number;
    /** Only leases of the store contract have the following fields. */
    readonly fence?: number;
    readonly note?: string;
  };
  /** Positions in the queue of the servers that write to one root: `next` is the next free one. `at`: Unix milliseconds. */
  readonly tickets: { readonly _id: string; readonly next: number; readonly at: number };
  /** Whose turn it is to write to a root. */
  readonly turns: {
    readonly _id: string;
    /** The position in the queue. */
    readonly serving: number;
    /** Milliseconds that the turn before took. */
    readonly took: number;
    /** Unix milliseconds. */
    readonly at: number;
  };
  /** Calls of a server that others may run, and their results. */
  readonly errands: {
    readonly _id: string;
    readonly root: string;
    /** Milliseconds of the database: afterwards, no server runs them. */
    readonly until: number;
    /** False once they were run or taken back. */
    readonly isOpen: boolean;
    readonly calls: readonly PortableCall[];
    /** In the order of the calls, or null. */
    readonly results: readonly PortableResult[] | null;
  };
  /** Work that is done only once until a time of the database. */
  readonly claims: {
    readonly _id: string;
    readonly until: number;
    /** Tells a repeat of the driver or of this server from another claim. */
    readonly by: string;
  };
  /** The last post of a server, as JSON: the bus reads the changes. */
  readonly posts: {
    readonly _id: string;
    /** Unix milliseconds. */
    readonly at: number;
    readonly events: string;
  };
  /** The sessions of each server, so that others can end them when it is gone. */
  readonly sessions: {
    readonly _id: string;
    readonly ids: readonly Binary[];
    /** Unix milliseconds: the server gives a sign of life before then. */
    readonly until: number;
    /** The number of this write of the server: the greatest one is the newest. */
    readonly rev: number;
  };
  /** The document `schema`. */
  readonly meta: { readonly _id: string; readonly version: number; readonly readableFrom: number };
}

/** The documents of every collection, by its name. */
export type Documents = { readonly [Kind in RecordKind]: Stored<Kind> } & OwnDocuments;

/** The name of a collection. */
export type CollectionName = keyof Documents;

const partOf = (value: unknown): IdPart => (typeof value === "boolean" ? Number(value) : partOfText(value));

function partOfText(value: unknown): IdPart {
  if (typeof value === "string" || typeof value === "number") return value;
  throw new TypeError("A key may contain only strings, numbers and booleans.");
}

/** The id for the values of a key, in its order. */
export function idFor(values: readonly unknown[]): DocumentId {
  const [a, b, c, d] = values.map(partOf);
  if (a === undefined) throw new TypeError("A key must have at least one value.");
  if (b === undefined) return a;
  return { a, b, ...(c !== undefined && { c }), ...(d !== undefined && { d }) };
}

/** The id of a record. */
export const idOf = <Kind extends RecordKind>(kind: Kind, record: Records[Kind]): DocumentId =>
  idFor(recordKey(kind).map((field): unknown => Reflect.get(record, field)));

const fieldsOf: ReadonlyMap<RecordKind, ReadonlySet<string>> = new Map(
  recordKinds.map((kind) => [kind, new Set(recordFields(kind))]),
);

const defaultsOf: ReadonlyMap<RecordKind, Readonly<Record<string, unknown>>> = new Map(
  recordKinds.map((kind) => [kind, recordDefaults(kind)]),
);

/** Only the fields of a record, as a new object. Documents of earlier versions may lack some. */
export function recordOf<Kind extends RecordKind>(kind: Kind, document: Records[Kind]): Records[Kind] {
  const fields = fieldsOf.get(kind);
  const record = { ...defaultsOf.get(kind), ...document };
  for (const name of Object.keys(record)) if (fields?.has(name) === false) Reflect.deleteProperty(record, name);
  return record;
}
