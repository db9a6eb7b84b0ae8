import type { Change } from "@telex/core/storage";
import type { Document } from "mongodb";
import type { CollectionName, DocumentId, Documents } from "./documents.ts";
import { RunAgain } from "./errors.ts";
import type { Guesses } from "./guesses.ts";
import { createAssumptions, matchesGuess, type Assumption, type Assumptions } from "./assumptions.ts";
import { createWrites, type TransactionDeps } from "./writes.ts";
import type { Reads, Transaction } from "./transaction.ts";
import { Known, createReads } from "./known-documents.ts";

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
  reads: Pick<Reads, "find" | "load">,
  known: Known,
  assumptions: readonly Assumption[],
): Promise<void> {
  if (assumptions.length === 0) return;
  known.clear();
  await reads.load(assumptions.map(({ ref: { name, id } }) => ({ name, id })));
  for (const { ref, guess } of assumptions) {
    if (!matchesGuess(guess, await reads.find(ref.name, ref.id)))
      throw new RunAgain(`A guess about ${ref.name} was wrong.`);
  }
}

/** Pending writes. Reads of the transaction already see their documents. */
function createPlans(deps: TransactionDeps, known: Known, assumptions: Assumptions) {
  const writes = createWrites(deps);
  const heads = new Map<DocumentId, Documents["heads"]>();
  const plan = <Name extends CollectionName>(
    operation: "insert" | "replace",
    name: Name,
    document: Documents[Name],
  ): void => {
    const id = document._id;
    known.set(name, id, document);
    writes.plan({ name, operation, id, document, ...assumptions.take(name, id) });
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
    /** Writes the pending documents before an operation that goes to the database immediately. */
    flush: async (): Promise<void> => {
      try {
        await writes.flush();
      } catch (error) {
        if (error instanceof RunAgain) assumptions.noteWrong();
        throw error;
      }
    },
    flushChanges: writes.flushChanges,
    remember: ({ keep }: Guesses): void => heads.forEach(keep),
  };
}

/**
 * Wraps the transaction that a session has begun. The operations of a session run sequentially. Without `guesses`, it reads
 * everything.
 */
export function createTransaction({
  guesses,
  ...deps
}: TransactionDeps & { readonly guesses: Guesses | null }): Transaction {
  const known = new Known();
  const assumptions = createAssumptions(guesses);
  const reads = createReads(deps.db, { session: deps.session }, known, assumptions);
  const { plan, flush, ...plans } = createPlans(deps, known, assumptions);
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
    hasGuessed: assumptions.hasGuessed,
    remember: plans.remember,
    async flush() {
      const unwritten = assumptions.takeAll();
      await flush();
      await plans.flushChanges();
      await verify(reads, known, unwritten);
    },
  };
}
