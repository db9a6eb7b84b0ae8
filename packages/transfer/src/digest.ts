import { createHash } from "node:crypto";
import {
  canonicalRecord,
  keyOf,
  type RecordKey,
  type RecordKind,
  recordKinds,
  type Records,
  type RecordStore,
} from "@telex/core/storage";

/** The digest of all records of a kind. */
export interface RecordDigest {
  readonly count: number;
  /** SHA-256 of all records as lines of JSON by key, hexadecimal: the digest of the file `<kind>.ndjson` of an export. */
  readonly sha256: string;
}

/** Records that are copied in one step. */
const batch = 1000;

/** All records of a kind after a key, in lists of a thousand. */
export async function* readRecords<Kind extends RecordKind>(
  store: Pick<RecordStore, "list">,
  kind: Kind,
  after: RecordKey | null = null,
): AsyncGenerator<readonly Records[Kind][]> {
  let from = after;
  for (;;) {
    const records = await store.list(kind, { after: from, limit: batch });
    const last = records.at(-1);
    if (last !== undefined) yield records;
    if (last === undefined || records.length < batch) return;
    from = keyOf(kind, last);
  }
}

/** The records as they are written, one line for each. */
export const linesOf = <Kind extends RecordKind>(kind: Kind, records: readonly Records[Kind][]): string =>
  records.map((record) => `${canonicalRecord(kind, record)}\n`).join("");

/** Counts and digests the records of a kind in the given order. `each` gets the size of each batch. */
export async function digestPages<Kind extends RecordKind>(
  kind: Kind,
  pages: AsyncIterable<readonly Records[Kind][]>,
  each: (records: number) => void = () => {},
): Promise<RecordDigest> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const records of pages) {
    hash.update(linesOf(kind, records));
    count += records.length;
    each(records.length);
  }
  return { count, sha256: hash.digest("hex") };
}

/** Reads the records of a kind for {@link digestPages}. */
export const digestRecords = (
  store: RecordStore,
  kind: RecordKind,
  each?: (records: number) => void,
): Promise<RecordDigest> => digestPages(kind, readRecords(store, kind), each);

type Digests = Record<RecordKind, RecordDigest>;

function assertComplete(digests: Partial<Digests>): asserts digests is Digests {
  const missing = recordKinds.filter((kind) => digests[kind] === undefined);
  if (missing.length > 0) throw new Error(`There is no digest of ${missing.join(", ")}.`);
}

/** Digests all kinds, one after another. */
export async function digestAll(digest: (kind: RecordKind) => Promise<RecordDigest>): Promise<Readonly<Digests>> {
  const digests: Partial<Digests> = {};
  for (const kind of recordKinds) digests[kind] = await digest(kind);
  assertComplete(digests);
  return digests;
}
