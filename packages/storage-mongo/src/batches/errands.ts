import { randomUUID } from "node:crypto";
import type { Db } from "mongodb";
import type { DatabaseClock } from "../clock/database-clock.ts";
import { collectionOf } from "../driver/collections.ts";
import type { Documents } from "../driver/documents.ts";
import { isDuplicate, RunAgain } from "../driver/errors.ts";
import { inTime } from "../driver/in-time.ts";
import type { PortableCall, PortableResult } from "../driver/portable-calls.ts";
import type { Tx } from "../driver/transaction.ts";

/** Milliseconds that a command about errands may take. */
const mostTime = 2000;
/** Milliseconds after which no server runs an errand. By then, the server that gave it has run its verbs itself or was killed. */
const life = 15_000;
/** Maximum errands that one transaction runs. */
const mostErrands = 8;
/** Errands that one command removes. */
const droppedTogether = 16;

/** An election may undo this write. Then no other server has run the errand, and the server that gave it runs the verbs itself. */
const fastWrite = { writeConcern: { w: 1, journal: false }, ignoreUndefined: true } as const;

type Errand = Documents["errands"];

/**
 * Calls that wait for the turn of their server, as documents. In one transaction, the server that has the turn runs them with its own verbs and
 * writes their results into the document. So an errand is run at most once, by the server that commits first.
 */
export interface Errands {
  /** Offers the calls to the other servers. Without calls, asks for the turn. */
  readonly give: (id: string, root: string, calls: readonly PortableCall[]) => Promise<void>;
  /** The results; null until they are certain. */
  readonly findResults: (id: string) => Promise<readonly PortableResult[] | null>;
  /**
   * Takes the calls back, so that no other server can run them. Returns the results if a server has run them.
   * @throws RunAgain while that is uncertain (as a rejection)
   */
  readonly takeBack: (id: string) => Promise<readonly PortableResult[] | null>;
  /** Removes a completed errand later, together with others. */
  readonly drop: (id: string) => void;
  /** True if an errand for the root is waiting. */
  readonly areOpen: (root: string) => Promise<boolean>;
}

export const newErrandId = (): string => randomUUID();

const openFor = (root: string) => ({ root, isOpen: true });

/** The oldest errands for a root that no server has run. */
export async function listErrands(tx: Tx, root: string, time: Pick<DatabaseClock, "now">): Promise<readonly Errand[]> {
  const filter = { ...openFor(root), until: { $gt: await time.now() } };
  return tx.list("errands", filter, { sort: { until: 1 }, limit: mostErrands });
}

/** Stores the results in an errand. Its calls are no longer needed. */
export const putResults = (tx: Tx, errand: Errand, results: readonly PortableResult[]): void =>
  tx.put("errands", { ...errand, isOpen: false, calls: [], results });

export function createErrands(db: Db, time: Pick<DatabaseClock, "now">): Errands {
  const errands = collectionOf(db, "errands");
  const dropped: string[] = [];
  const findResults: Errands["findResults"] = async (id) =>
    (await inTime(mostTime, errands.findOne({ _id: id }, { projection: { results: 1 } })))?.results ?? null;
  return {
    async give(id, root, calls) {
      const until = (await time.now()) + life;
      await inTime(
        mostTime,
        errands.insertOne({ _id: id, root, until, isOpen: true, calls, results: null }, fastWrite),
      );
    },
    findResults,
    async takeBack(id) {
      const until = (await time.now()) + life;
      // If the document does not exist, its insert may still be on its way to the database.
      const change = { $set: { isOpen: false, calls: [], until }, $setOnInsert: { root: "", results: null } };
      try {
        await errands.updateOne({ _id: id, isOpen: true }, change, { upsert: true });
        return null;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        const errand = await errands.findOne({ _id: id });
        if (errand === null || errand.isOpen) throw new RunAgain("The results of an errand are not certain yet.");
        return errand.results;
      }
    },
    drop(id) {
      dropped.push(id);
      if (dropped.length < droppedTogether) return;
      const ids = dropped.splice(0);
      // If this fails, they are removed when they have expired.
      void errands.deleteMany({ _id: { $in: ids } }, fastWrite).catch(() => undefined);
    },
    async areOpen(root) {
      const filter = { ...openFor(root), until: { $gt: await time.now() } };
      return (await inTime(mostTime, errands.findOne(filter, { projection: { _id: 1 } }))) !== null;
    },
  };
}
