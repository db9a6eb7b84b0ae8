import type { ClientSession, Db } from "mongodb";
import { commit } from "./commit.ts";
import type { DatabaseClock } from "../clock/database-clock.ts";
import { RunAgain } from "../driver/errors.ts";
import { idLife } from "../clock/ids.ts";
import type { WriteDocuments } from "../driver/bulk-writes.ts";
import type { Guesses } from "../driver/guesses.ts";
import type { Sessions } from "./sessions.ts";
import type { Transaction } from "../driver/transaction.ts";
import { createTransaction } from "../driver/open-transaction.ts";

export interface AttemptDeps {
  readonly sessions: Sessions;
  readonly db: Db;
  readonly writeDocuments: WriteDocuments;
  readonly now: () => number;
  readonly time: Pick<DatabaseClock, "wasLate" | "now">;
}

interface Attempt {
  /** Milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly guesses: Guesses | null;
  /** The last write before the commit. */
  readonly finish?: (session: ClientSession) => Promise<void>;
}

/** Milliseconds after which the database gives up a commit. */
const commitTime = 2000;
/** Milliseconds: no commit begins with an older id, so that it has ended when the id is too old. */
const idAgeAtCommit = idLife - commitTime;

const transactionOptions = {
  readConcern: { level: "snapshot" },
  writeConcern: { w: "majority", journal: true },
  readPreference: "primary",
  maxCommitTimeMS: commitTime,
} as const;

/** Unix milliseconds of the newest write of the database at its last response. */
const writtenAt = ({ operationTime }: ClientSession): number => (operationTime?.getHighBitsUnsigned() ?? 0) * 1000;

/** Aborts the transaction of a session if it is open. Without an id, the database would end all sessions. */
async function endTransaction(db: Db, { id }: ClientSession): Promise<void> {
  if (id !== undefined) await db.command({ killSessions: [id] });
}

/**
 * Runs `body` once, in its own transaction. Without `guesses`, it reads everything. A transaction that has not written anything is committed,
 * too: before the commit, it may have read data that the database can still lose, such as the message that a repeated call returns.
 */
export const runOnce = <Result>(
  { sessions, db, writeDocuments, now, time }: AttemptDeps,
  { deadline, guesses, finish }: Attempt,
  body: (transaction: Transaction) => Promise<Result>,
): Promise<Result> =>
  sessions.use(async (session) => {
    try {
      session.startTransaction(transactionOptions);
      const transaction = createTransaction({ db, session, writeDocuments, now, guesses });
      const result = await body(transaction);
      await transaction.flush();
      await finish?.(session);
      const hasIds = transaction.idAge() > 0;
      if (hasIds && (await time.wasLate(writtenAt(session)))) throw new RunAgain("The time of the ids was late.");
      // Read again, because checking the clock takes time.
      const age = transaction.idAge();
      if (age > idAgeAtCommit) throw new RunAgain("The ids of a transaction are too old.");
      // A transaction without such ids may be committed later.
      const until = age === 0 ? deadline : Math.min(deadline, performance.now() + idAgeAtCommit - age);
      await commit(session, { until, deadline }, () => endTransaction(db, session));
      return result;
    } finally {
      if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
    }
  });
