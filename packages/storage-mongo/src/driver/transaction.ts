import type { Ref } from "./ref.ts";
import type { Change } from "@telex/core/storage";
import type { Document, Sort } from "mongodb";
import type { CollectionName, DocumentId, Documents } from "./documents.ts";
import { RunAgain } from "./errors.ts";
import type { Guesses } from "./guesses.ts";
import { createSuppositions, isAsSupposed, type Supposition, type Suppositions } from "./suppositions.ts";
import { createWrites, type TransactionDeps } from "./writes.ts";

/** How {@link Tx.list} sorts and limits. */
interface ListOptions {
  readonly sort?: Sort;
  readonly limit?: number;
  readonly skip?: number;
}

/** The reads and writes of a verb within a transaction. It sees its own writes, and those of the verbs before it. */
export interface Tx {
  /** The document, or null. One that was loaded before costs nothing. */
  readonly find: <Name extends CollectionName>(name: Name, id: DocumentId) => Promise<Documents[Name] | null>;
  /** Loads the documents that are not known yet, with one read per collection. */
  readonly load: (refs: readonly Ref[]) => Promise<void>;
  /** The documents that match. Writes first what was put. */
  readonly list: <Name extends CollectionName>(
    name: Name,
    filter: Document,
    options?: ListOptions,
  ) => Promise<Documents[Name][]>;
  /** Stores a document in place of the one with its id. */
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
  /** Says that an id by time was taken: the transaction must commit soon. */
  readonly noteId: () => void;
  /** Puts a change into the feed, in the same transaction. */
  readonly report: (kind: Change["kind"], key: number | string) => void;
}

/** A transaction in progress. */
export interface Transaction extends Tx {
  /** Milliseconds since the first id by time was taken; 0 without one. */
  readonly idAge: () => number;
  /** True if something was supposed instead of read. */
  readonly hasGuessed: () => boolean;
  /** To be called after the commit. */
  readonly remember: (guesses: Guesses) => void;
  /** Writes what was put. */
  readonly flush: () => Promise<void>;
}

/** The known documents of each collection, by the text of their id. */
type KnownDocuments<Names extends CollectionName = CollectionName> = {
  [Name in Names]?: Map<string, Documents[Name] | null>;
};

const knownOf = <Name extends CollectionName>(
  documents: KnownDocuments<Name>,
  name: Name,
): Map<string, Documents[Name] | null> => (documents[name] ??= new Map<string, Documents[Name] | null>());

/** Documents that a transaction has read or written, by collection and id. Null: there is no such document. */
class Known {
  #documents: KnownDocuments = {};

  get<Name extends CollectionName>(name: Name, id: DocumentId): Documents[Name] | null | undefined {
    return this.#documents[name]?.get(JSON.stringify(id));
  }

  set<Name extends CollectionName>(name: Name, id: DocumentId, document: Documents[Name] | null): void {
    knownOf(this.#documents, name).set(JSON.stringify(id), document);
  }

  clear(): void {
    this.#documents = {};
  }
}

/** The reads of a transaction. A document is read once. */
function createReads(
  { db, session }: TransactionDeps,
  known: Known,
  suppositions: Suppositions,
): Pick<Tx, "find" | "load" | "list"> {
  const query = async <Name extends CollectionName>(
    name: Name,
    filter: Document,
    options: ListOptions = {},
  ): Promise<Documents[Name][]> => {
    const documents = await db
      .collection(name)
      .find<Documents[Name]>(filter, { ...options, session })
      .toArray();
    for (const document of documents) known.set(name, document._id, document);
    return documents;
  };
  return {
    list: query,
    async find(name, id) {
      const before = known.get(name, id);
      if (before !== undefined) return before;
      const [document = null] = await query(name, { _id: id });
      known.set(name, id, document);
      return document;
    },
    async load(refs) {
      const ids = new Map<CollectionName, DocumentId[]>();
      for (const ref of refs) {
        const { name, id } = ref;
        if (known.get(name, id) !== undefined) continue;
        const guess = suppositions.add(ref);
        known.set(name, id, guess ?? null);
        if (guess === undefined) ids.set(name, [...(ids.get(name) ?? []), id]);
      }
      for (const [name, wanted] of ids) await query(name, { _id: { $in: wanted } });
    },
  };
}

async function patchAll<Name extends CollectionName>(
  { db, session }: TransactionDeps,
  name: Name,
  documents: readonly Documents[Name][],
  change: Partial<Documents[Name]>,
): Promise<void> {
  const filter: Document = { _id: { $in: documents.map(({ _id }) => _id) } };
  await db.collection(name).updateMany(filter, { $set: change }, { session });
}

/** Reads the documents that the transaction guessed and did not write, such as the nonce of a refused message. */
async function verify(
  reads: Pick<Tx, "find" | "load">,
  known: Known,
  suppositions: readonly Supposition[],
): Promise<void> {
  if (suppositions.length === 0) return;
  known.clear();
  await reads.load(suppositions.map(({ ref: { name, id } }) => ({ name, id })));
  for (const { ref, guess } of suppositions) {
    if (!isAsSupposed(guess, await reads.find(ref.name, ref.id)))
      throw new RunAgain(`A guess about ${ref.name} was wrong.`);
  }
}

/** Writes that wait, of documents that are known from then on. */
function createPlans(deps: TransactionDeps, known: Known, suppositions: Suppositions) {
  const writes = createWrites(deps);
  const heads = new Map<DocumentId, Documents["heads"]>();
  const plan = <Name extends CollectionName>(
    operation: "insert" | "replace",
    name: Name,
    document: Documents[Name],
  ): void => {
    const id = document._id;
    known.set(name, id, document);
    writes.plan({ name, operation, id, document, ...suppositions.take(name, id) });
    const head = name === "heads" ? known.get("heads", id) : null;
    if (head) heads.set(id, head);
  };
  return {
    plan,
    drop: (name: CollectionName, id: DocumentId): void => {
      writes.plan({ name, operation: "delete", id, document: {} });
      known.set(name, id, null);
      if (name === "heads") heads.delete(id);
    },
    report: (kind: Change["kind"], key: number | string): void => writes.report(kind, String(key)),
    /** Writes what waits, before something that does not wait. */
    flush: async (): Promise<void> => {
      try {
        await writes.flush();
      } catch (error) {
        if (error instanceof RunAgain) suppositions.noteWrong();
        throw error;
      }
    },
    flushChanges: writes.flushChanges,
    remember: ({ keep }: Guesses): void => heads.forEach(keep),
  };
}

/**
 * Begins a transaction on a session that has begun one. Operations of a session run one after another. Without `guesses`, it
 * supposes nothing.
 */
export function createTransaction({
  guesses,
  ...deps
}: TransactionDeps & { readonly guesses: Guesses | null }): Transaction {
  const known = new Known();
  const suppositions = createSuppositions(guesses);
  const reads = createReads(deps, known, suppositions);
  const { plan, flush, ...plans } = createPlans(deps, known, suppositions);
  let idTaken: number | null = null;
  return {
    ...reads,
    async list(name, filter, options) {
      await flush();
      return reads.list(name, filter, options);
    },
    put: (name, document) => plan("replace", name, document),
    add: (name, document) => plan("insert", name, document),
    drop: plans.drop,
    async patch(name, documents, change) {
      if (documents.length === 0) return;
      await flush();
      await patchAll(deps, name, documents, change);
      for (const document of documents) known.set(name, document._id, { ...document, ...change });
    },
    async dropAll(name, filter) {
      await flush();
      await deps.db.collection(name).deleteMany(filter, { session: deps.session });
      known.clear();
    },
    noteId: () => void (idTaken ??= performance.now()),
    idAge: () => (idTaken === null ? 0 : performance.now() - idTaken),
    report: plans.report,
    hasGuessed: suppositions.hasGuessed,
    remember: plans.remember,
    async flush() {
      const unwritten = suppositions.takeAll();
      await flush();
      await plans.flushChanges();
      await verify(reads, known, unwritten);
    },
  };
}
