import type { Clock } from "@telex/core";
import type { ClientSession, Db } from "mongodb";
import { createGuesses, type Guesses } from "../driver/guesses.ts";
import { type Errands, newErrandId } from "./errands.ts";
import { createTurnRows } from "./turn-rows.ts";
import { type Shared, enter, watch } from "./turn-watch.ts";

/**
 * Milliseconds after which no further transaction of a turn begins. Until then, the server runs the errands of others, unless one of them has
 * verbs that only it can run.
 */
const longestTurn = 1000;

/** A root is no longer shared after this number of turns without a request of another server. */
const quietTurns = 8;

/**
 * Servers that write to one root take turns, in the order in which they ask. Turns only avoid conflicts: if two turns overlap, the transactions
 * conflict and one of them is repeated. So other servers can continue if a server is killed in its turn.
 */
export interface Turns {
  /** True if other servers write to the root, too. */
  readonly isShared: (root: string) => boolean;
  /** A turn without roots yet. */
  readonly begin: () => Turn;
  /** Stops polling for shared roots. Resolves when the turns that have ended are passed on. Never rejects. */
  readonly end: () => Promise<void>;
}

/** The right to write to some roots. */
export interface Turn {
  /** Adds roots. Waits for the turn of this server if other servers have written to one of them. Never rejects. */
  readonly add: (roots: readonly string[]) => Promise<void>;
  /**
   * Call it after a conflict with another writer: the first root without a turn of this server is then taken as shared. Waits for its turn.
   * Skips roots that were added together with others of their kind: other servers rarely write one of many files.
   * @returns false if there is no such root
   */
  readonly claim: () => Promise<boolean>;
  /** The guesses for its next transaction. Those of the server may be wrong for a root that others write to; during a turn, no other one writes. */
  readonly guessesOr: (general: Guesses) => Guesses;
  /** The root whose errands this server runs for others. Null after the turn, and if the turn has no shared root or several. */
  readonly hosted: () => string | null;
  /** Makes the next transaction the last one of the turn. */
  readonly finish: () => void;
  /** True if another transaction may follow in the same turn. */
  readonly mayContinue: () => boolean;
  /** Ends the turn in its last transaction: the next server begins when that is committed. */
  readonly passIn: (session: ClientSession) => Promise<void>;
  /** Ends the turn, unless a committed transaction has ended it. */
  readonly pass: (wasCommitted: boolean) => void;
}

/** The most recently used shared roots. */
function createKnown(mostKept: number) {
  const all = new Map<string, Shared>();
  return {
    has: (root: string): boolean => all.has(root),
    use(root: string): Shared {
      const shared = all.get(root) ?? { ticket: -1, begun: 0, over: 0, quiet: 0 };
      all.delete(root);
      all.set(root, shared);
      if (all.size > mostKept) for (const oldest of all.keys().take(1)) all.delete(oldest);
      return shared;
    },
    drop: (root: string): void => void all.delete(root),
  };
}

interface TurnDeps {
  readonly isShared: (root: string) => boolean;
  /** Waits for the turn of a root. */
  readonly enter: (root: string) => Promise<Shared>;
  /** Also asks the server that has the turn to end it. */
  readonly demand: (root: string) => Promise<Shared>;
  /** Begins the turn of the next server. */
  readonly serve: (root: string, shared: Shared, session?: ClientSession) => Promise<void>;
  /** Ends the turn of a root, and passes it on unless a transaction has done so (`isPassed`). */
  readonly leave: (root: string, shared: Shared, isPassed: boolean) => void;
}

const took = ({ begun }: Shared): number => performance.now() - begun;

function createTurn({ isShared, enter: enterRoot, demand, serve, leave }: TurnDeps): Turn {
  const single: string[] = [];
  const taken = new Map<string, Shared>();
  const guesses = createGuesses();
  let isLast = false;
  let isPassed = false;
  const take = async (root: string): Promise<void> => void taken.set(root, await enterRoot(root));
  /** A turn at several roots ends after one transaction. */
  const isOver = (): boolean => {
    const [shared] = taken.values();
    return isLast || taken.size !== 1 || shared === undefined || took(shared) > longestTurn;
  };
  return {
    guessesOr: (general) => (taken.size === 0 ? general : guesses),
    hosted: () => (isOver() ? null : (taken.keys().next().value ?? null)),
    finish: () => void (isLast = true),
    mayContinue: () => !isPassed && !isOver(),
    async add(roots) {
      if (roots.length === 1) single.push(...roots);
      for (const root of roots.toSorted()) if (isShared(root)) await take(root);
    },
    async claim() {
      const root = single.find((one) => !taken.has(one));
      if (root !== undefined) taken.set(root, await demand(root));
      return root !== undefined;
    },
    async passIn(session) {
      isPassed = isOver();
      if (isPassed) for (const [root, shared] of taken) await serve(root, shared, session);
    },
    pass(wasCommitted) {
      for (const shared of taken.values()) shared.over = performance.now();
      for (const [root, shared] of taken) leave(root, shared, wasCommitted && isPassed);
    },
  };
}

export function createTurns(db: Db, clock: Clock, errands: Pick<Errands, "give" | "drop">): Turns {
  const rows = createTurnRows(db, () => clock.now());
  const known = createKnown(10_000);
  const watched = watch(rows, clock);
  const isShared = (root: string): boolean => known.has(root) || watched.has(root);
  const serve: TurnDeps["serve"] = (root, shared, session) =>
    rows.serve(root, shared.ticket + 1, took(shared), session);
  const leaving = new Set<Promise<void>>();
  const end = async (root: string, shared: Shared, isPassed: boolean): Promise<void> => {
    const { ticket, quiet } = shared;
    const earlier = [...leaving];
    if (!isPassed) await serve(root, shared);
    if (quiet < quietTurns) return;
    // The write that ends an earlier turn may still be on its way, and would create the document again.
    await Promise.all(earlier);
    if (await rows.forget(root, ticket)) known.drop(root);
  };
  const enterRoot = async (root: string): Promise<Shared> => {
    const shared = known.use(root);
    // If the database does not answer, the transaction reports it.
    await enter(rows, root, shared).catch(() => undefined);
    return shared;
  };
  const deps: TurnDeps = {
    isShared,
    enter: enterRoot,
    async demand(root) {
      const id = newErrandId();
      // If the errand fails, the turn only comes later.
      const [shared] = await Promise.all([enterRoot(root), errands.give(id, root, []).catch(() => undefined)]);
      errands.drop(id);
      return shared;
    },
    serve,
    leave(root, shared, isPassed) {
      const left = end(root, shared, isPassed).catch(() => undefined);
      leaving.add(left);
      void left.then(() => leaving.delete(left));
    },
  };
  return {
    isShared,
    async end() {
      watched.end();
      await Promise.all(leaving);
    },
    begin: () => createTurn(deps),
  };
}
