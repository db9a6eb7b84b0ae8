import { TelexError } from "@telex/core";
import type { DatabaseClock } from "../clock/database-clock.ts";
import type { Documents } from "../driver/documents.ts";
import { RunAgain } from "../driver/errors.ts";
import type { PortableCall, PortableResult } from "../driver/portable-calls.ts";
import type { Transaction } from "../driver/transaction.ts";
import { listErrands, putResults } from "./errands.ts";
import type { Portables } from "./portable.ts";
import type { Turn } from "./turns.ts";
import type { Waiting } from "./waiting.ts";

type Verb = Pick<Waiting, "verb" | "load">;

/** The errands of other servers in the attempts of a transaction. */
interface HostedErrands {
  /** Their verbs, at the start of an attempt. None if this server does not have the turn. */
  readonly verbsIn: (transaction: Transaction) => Promise<readonly Verb[]>;
  /** Writes the results of their verbs. */
  readonly answerIn: (transaction: Transaction) => void;
  /**
   * Call it if the attempt failed. An attempt with errands is repeated without them, unless a guess was wrong, and the turn ends: the server
   * that gave the errands then runs its verbs itself and gets the error.
   * @throws RunAgain, or the error
   */
  readonly fail: (error: unknown) => never;
}

/** Maximum attempts with errands. The first one uses guesses. */
const mostAttempts = 2;

/** Runs errands of other servers in the transactions of this server. */
export interface Host {
  readonly begin: (turn: Pick<Turn, "hosted" | "finish">) => HostedErrands;
}

export function createHost(portables: Portables, time: Pick<DatabaseClock, "now">): Host {
  const verbOf = (call: PortableCall, results: PortableResult[]): Verb => ({
    load: portables.load(call),
    verb: async (tx) => void results.push(await portables.run(tx, call)),
  });
  return {
    begin(turn) {
      const answers = new Map<Documents["errands"], PortableResult[]>();
      let attempts = 0;
      return {
        async verbsIn(transaction) {
          answers.clear();
          attempts += 1;
          const root = attempts > mostAttempts ? null : turn.hosted();
          if (root === null) return [];
          for (const errand of await listErrands(transaction, root, time)) answers.set(errand, []);
          for (const { calls } of answers.keys()) if (calls.length === 0) turn.finish();
          return [...answers].flatMap(([{ calls }, results]) => calls.map((call) => verbOf(call, results)));
        },
        answerIn(transaction) {
          for (const [errand, results] of answers) putResults(transaction, errand, results);
        },
        fail(error) {
          // A commit in doubt is never repeated.
          if (answers.size === 0 || error instanceof RunAgain || error instanceof TelexError) throw error;
          attempts = mostAttempts;
          turn.finish();
          throw new RunAgain("A transaction with errands failed.", { cause: error });
        },
      };
    },
  };
}
