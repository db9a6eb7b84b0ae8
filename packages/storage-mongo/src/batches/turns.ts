import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@telex/core";
import type { ClientSession, Db } from "mongodb";
import { createTurnRows, type Served, type TurnRows } from "./turn-rows.ts";

/** Milliseconds without progress after which a server no longer waits for those before it: one of them was killed. */
const patience = 2000;
/** After so many turns for which no other server has asked, a root is no longer shared. */
const quietTurns = 8;
/** Milliseconds between two looks for roots that others share. Of two writers that meet, only one notices the other. */
const lookEvery = 250;
/** Milliseconds between two looks for a turn. */
const [shortestLook, longestLook] = [1, 50];
/** A server looks for the first time when the turns before it should be over, and then so many times in such a turn. */
const looksPerTurn = 8;

/**
 * Servers that write to one root take turns, in the order in which they ask. Only transactions decide what is stored: two servers whose turns overlap
 * conflict, and one of them runs again. So nothing depends on a server that is killed in its turn.
 */
export interface Turns {
  /** The right to write to no root yet. */
  readonly begin: () => Turn;
  /** Ends the look for roots that others share. */
  readonly end: () => void;
}

/** The right to write to some roots. */
export interface Turn {
  /** Adds roots. Waits for the turn of this server if other servers have written to one of them. Never rejects. */
  readonly add: (roots: readonly string[]) => Promise<void>;
  /**
   * To be called after a conflict with another writer: the first root of which this server does not have the turn is shared. Waits for the
   * turn. Roots of which several were added together are left out: one of many files is rarely what others write.
   * @returns false if there is no such root
   */
  readonly claim: () => Promise<boolean>;
  /** Ends the turn in a transaction: the next server begins when that is committed. */
  readonly passIn: (session: ClientSession) => Promise<void>;
  /** Ends the turn, unless a transaction that was committed has ended it. */
  readonly pass: (wasCommitted: boolean) => void;
}

/** The place of this server in the queue of a root that others write to, too. */
interface Shared {
  /** The latest ticket of this server, or -1. */
  ticket: number;
  /** Milliseconds of `performance.now()` at which its turn began. */
  begun: number;
  /** Milliseconds of `performance.now()` at which it ended. */
  over: number;
  /** Turns in a row for which no other server has asked. */
  quiet: number;
}

/** Milliseconds until the next look. `since`: how long those before have not moved. */
function lookAfter(ahead: number, { took }: Served, since: number): number {
  const left = took * ahead - since;
  return Math.min(Math.max(left, took / looksPerTurn, since / looksPerTurn, shortestLook), longestLook);
}

/** Looks until a ticket is served, or nobody before it has moved for a while. */
async function wait(rows: TurnRows, root: string, ticket: number, known: Served): Promise<void> {
  let [row, moved] = [known, performance.now()];
  while (row.serving < ticket) {
    const since = performance.now() - moved;
    if (since > patience) return rows.overtake(root, ticket);
    await delay(lookAfter(ticket - row.serving, row, since));
    const found = await rows.served(root);
    if (found.serving > row.serving) moved = performance.now();
    row = found;
  }
}

/** Takes the turn of one root. */
async function enter(rows: TurnRows, root: string, shared: Shared): Promise<void> {
  const before = shared.ticket;
  shared.ticket = await rows.takeTicket(root);
  shared.quiet = shared.ticket === before + 1 ? shared.quiet + 1 : 0;
  // Its own turn before has just ended: those of the others have begun.
  const isRecent = shared.ticket > before && before >= 0 && performance.now() - shared.over < 1000;
  const took = shared.over - shared.begun;
  const row = isRecent ? { serving: before + 1, took } : await rows.served(root);
  await wait(rows, root, shared.ticket, row);
  shared.begun = performance.now();
}

/** Looks again and again for the roots that servers share. */
function watch(rows: TurnRows, clock: Clock) {
  let known: ReadonlySet<string> = new Set();
  let isOpen = true;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    known = await rows.list().catch(() => known);
    plan();
  };
  const plan = (): void => {
    if (isOpen) cancel = clock.after(lookEvery, () => void look());
  };
  plan();
  return {
    has: (root: string): boolean => known.has(root),
    end(): void {
      isOpen = false;
      cancel();
    },
  };
}

/** The shared roots that this server used last. */
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

/** No root is shared yet. */
export function createTurns(db: Db, clock: Clock): Turns {
  const rows = createTurnRows(db, () => clock.now());
  const known = createKnown(10_000);
  const watched = watch(rows, clock);
  const took = ({ begun }: Shared): number => performance.now() - begun;
  const leave = async (root: string, shared: Shared, wasCommitted: boolean): Promise<void> => {
    const { ticket, quiet } = shared;
    if (!wasCommitted) await rows.serve(root, ticket + 1, took(shared));
    if (quiet >= quietTurns && (await rows.forget(root, ticket))) known.drop(root);
  };
  return {
    end: () => watched.end(),
    begin() {
      const single: string[] = [];
      const held = new Map<string, Shared>();
      const hold = async (root: string): Promise<void> => {
        const shared = known.use(root);
        held.set(root, shared);
        // A database that does not answer tells the transaction.
        await enter(rows, root, shared).catch(() => undefined);
      };
      return {
        async add(roots) {
          if (roots.length === 1) single.push(...roots);
          for (const root of roots.toSorted()) if (known.has(root) || watched.has(root)) await hold(root);
        },
        async claim() {
          const root = single.find((one) => !held.has(one));
          if (root !== undefined) await hold(root);
          return root !== undefined;
        },
        async passIn(session) {
          for (const [root, shared] of held) await rows.serve(root, shared.ticket + 1, took(shared), session);
        },
        pass(wasCommitted) {
          for (const shared of held.values()) shared.over = performance.now();
          for (const [root, shared] of held) void leave(root, shared, wasCommitted).catch(() => undefined);
        },
      };
    },
  };
}
