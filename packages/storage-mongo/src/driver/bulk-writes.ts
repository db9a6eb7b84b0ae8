import {
  type AnyBulkWriteOperation,
  type ClientSession,
  type Db,
  type Document,
  MongoClientBulkWriteError,
  MongoServerError,
} from "mongodb";
import type { CollectionName } from "./documents.ts";
import { isUnsupported, RunAgain } from "./errors.ts";

/** A write of one document. */
export type DocumentWrite = { readonly collection: CollectionName } & (
  | { readonly name: "insertOne"; readonly document: Document }
  | { readonly name: "replaceOne"; readonly filter: Document; readonly replacement: Document; readonly upsert: boolean }
  | { readonly name: "deleteOne"; readonly filter: Document }
);

/**
 * Writes documents in a transaction, grouped by collection in the order of first appearance.
 * @throws RunAgain if a replacement found no document and must not create one; or if the server, unlike MongoDB 8.0, cannot write several
 *   collections in one command: later calls write each collection in its own command
 * @throws MongoServerError with the server's error for the first write that it refused
 */
export type WriteDocuments = (session: ClientSession, writes: readonly DocumentWrite[]) => Promise<void>;

/** The number of documents that were replaced, or inserted by a replacement. */
interface Counts {
  readonly matchedCount: number;
  readonly upsertedCount: number;
}

const areReplaced = ({ matchedCount, upsertedCount }: Counts, writes: readonly DocumentWrite[]): boolean =>
  matchedCount + upsertedCount === writes.filter(({ name }) => name === "replaceOne").length;

const wrongGuess = (): RunAgain => new RunAgain("A guess about a document was wrong.");

/** The error of the first write that failed. If an earlier replacement did not find its document, that is the reason. */
function reasonOf(error: MongoClientBulkWriteError, writes: readonly DocumentWrite[]): Error {
  const [refused] = error.writeErrors;
  if (refused === undefined) return error.cause instanceof Error ? error.cause : error;
  const [index, { code, message }] = refused;
  const counts = error.partialResult ?? { matchedCount: 0, upsertedCount: 0 };
  return areReplaced(counts, writes.slice(0, index)) ? new MongoServerError({ code, message }) : wrongGuess();
}

/** Writes all collections in one command. */
async function writeTogether(db: Db, session: ClientSession, writes: readonly DocumentWrite[]): Promise<void> {
  const models = writes.map(({ collection, ...write }) => ({
    ...write,
    namespace: `${db.databaseName}.${collection}`,
  }));
  const counts = await db.client.bulkWrite(models, { session, ordered: true }).catch((error: unknown) => {
    throw error instanceof MongoClientBulkWriteError ? reasonOf(error, writes) : error;
  });
  if (!areReplaced(counts, writes)) throw wrongGuess();
}

function operationOf(write: DocumentWrite): AnyBulkWriteOperation {
  if (write.name === "insertOne") return { insertOne: write };
  return write.name === "deleteOne" ? { deleteOne: write } : { replaceOne: write };
}

/** Writes the documents of one collection. */
async function writeOne(db: Db, session: ClientSession, writes: readonly DocumentWrite[]): Promise<void> {
  const [first] = writes;
  if (first === undefined) return;
  const operations = writes.map(operationOf);
  const counts = await db.collection(first.collection).bulkWrite(operations, { session, ordered: true });
  if (!areReplaced(counts, writes)) throw wrongGuess();
}

/**
 * Maximum writes in one command for several collections. With more, fewer commands gain little: the test server takes half the time for
 * 300 writes if each collection has its own command.
 */
const mostTogether = 20;

export function createWriteDocuments(db: Db): WriteDocuments {
  let isTogether = true;
  return async (session, writes) => {
    const lists = [...Map.groupBy(writes, ({ collection }) => collection).values()];
    if (!isTogether || lists.length < 2 || writes.length > mostTogether) {
      for (const list of lists) await writeOne(db, session, list);
      return;
    }
    try {
      await writeTogether(db, session, lists.flat());
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      isTogether = false;
      throw new RunAgain("The server writes only one collection per command.", { cause: error });
    }
  };
}
