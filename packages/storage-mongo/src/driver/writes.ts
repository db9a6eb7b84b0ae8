import type { Change } from "@telex/core/storage";
import type { ClientSession, Db, Document } from "mongodb";
import type { DocumentWrite, WriteDocuments } from "./bulk-writes.ts";
import type { CollectionName, DocumentId, Documents } from "./documents.ts";
import { RunAgain } from "./errors.ts";

export interface TransactionDeps {
  readonly db: Db;
  readonly session: ClientSession;
  readonly writeDocuments: WriteDocuments;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A pending write of one document. */
interface Pending {
  readonly name: CollectionName;
  readonly operation: "insert" | "replace" | "delete";
  readonly id: DocumentId;
  readonly document: Document;
  /** The document that the write replaces, unless it is unknown: overwriting any other must fail. Null: it must not exist. */
  readonly expected?: Document | null;
}

/** A key for a document of any collection. */
export const keyOf = (name: CollectionName, id: DocumentId): string => `${name} ${JSON.stringify(id)}`;

/** @throws RunAgain if the document to delete was only guessed */
function writeOf({ name: collection, operation, id, document, expected }: Pending): DocumentWrite {
  const filter: Document = { _id: id };
  if (operation === "insert" || (operation === "replace" && expected === null))
    return { collection, name: "insertOne", document };
  if (operation === "replace") {
    const { _id, ...replacement } = document;
    return { collection, name: "replaceOne", filter: expected ?? filter, replacement, upsert: expected === undefined };
  }
  if (expected !== undefined) throw new RunAgain(`A document of ${collection} was not read before its deletion.`);
  return { collection, name: "deleteOne", filter };
}

/** The writes of a transaction, gathered into as few commands as possible. */
interface Writes {
  readonly plan: (write: Pending) => void;
  readonly report: (kind: Change["kind"], key: string) => void;
  /** Writes the pending documents. */
  readonly flush: () => Promise<void>;
  /** Writes the pending changes, at the end of a transaction. */
  readonly flushChanges: () => Promise<void>;
}

/** Numbers the changes with the counter of the feed, so transactions that report changes conflict with each other. */
async function writeChanges(
  { db, session, now }: TransactionDeps,
  changes: readonly { readonly kind: Change["kind"]; readonly key: string }[],
): Promise<void> {
  const numbers = db.collection<Documents["numbers"]>("numbers");
  const update = { $inc: { value: changes.length } };
  const latest = await numbers.findOneAndUpdate({ _id: "changes" }, update, { session, returnDocument: "after" });
  if (latest === null) throw new Error('The document "changes" of the collection "numbers" is missing.');
  const from = latest.value - changes.length + 1;
  const at = now();
  const documents = changes.map((change, index) => ({ _id: from + index, ...change, at }));
  await db.collection<Documents["changes"]>("changes").insertMany(documents, { session });
}

export function createWrites(deps: TransactionDeps): Writes {
  const pending = new Map<string, Pending>();
  const changes: { readonly kind: Change["kind"]; readonly key: string }[] = [];
  return {
    plan(write) {
      const key = keyOf(write.name, write.id);
      const first = pending.get(key);
      const before = first?.operation;
      const expected = first === undefined ? write.expected : first.expected;
      const now = expected === undefined ? write : { ...write, expected };
      if (before === "insert" && write.operation === "delete") pending.delete(key);
      else if (before === "insert") pending.set(key, { ...now, operation: "insert" });
      else if (before === "delete" && write.operation === "insert") pending.set(key, { ...now, operation: "replace" });
      else pending.set(key, now);
    },
    report: (kind, key) => void changes.push({ kind, key }),
    async flush() {
      const writes = [...pending.values()].map(writeOf);
      pending.clear();
      await deps.writeDocuments(deps.session, writes);
    },
    async flushChanges() {
      if (changes.length > 0) await writeChanges(deps, changes);
    },
  };
}
