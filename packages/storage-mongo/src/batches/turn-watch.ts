import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@telex/core";
import type { Served, TurnRows } from "./turn-rows.ts";

/** Milliseconds without progress after which a server stops waiting for those before it: one of them was killed. */
const longestWait = 2000;

/** Milliseconds between two checks for shared roots. Of two writers that conflict, only the loser notices. */
const checkEvery = 250;

/** Milliseconds between two checks for a turn. The longest time is multiplied by the number of servers that come before. */
const [shortestPause, longestPause] = [4, 50];

/** A server first checks when the turns before it should be over, and then this many times during a turn. */
const checksPerTurn = 8;

/** The position of this server in the queue of a root that others write to, too. */
export interface Shared {
  /** The latest ticket of this server, or -1. */
  ticket: number;
  /** Milliseconds of `performance.now()` at which its turn began. */
  begun: number;
  /** Milliseconds of `performance.now()` at which it ended. */
  over: number;
  /** Consecutive turns for which no other server has asked. */
  quiet: number;
}

/** Milliseconds until the next check. `since`: milliseconds without progress of the earlier tickets. */
function pauseFor(ahead: number, { took }: Served, since: number): number {
  const left = took * ahead - since;
  return Math.min(Math.max(left, took / checksPerTurn, since / checksPerTurn, shortestPause), longestPause * ahead);
}

/** Polls until the ticket is served, or until the earlier tickets have made no progress for a while. */
async function wait(rows: TurnRows, root: string, ticket: number, known: Served): Promise<void> {
  let [row, moved] = [known, performance.now()];
  while (row.serving < ticket) {
    const since = performance.now() - moved;
    if (since > longestWait) return rows.overtake(root, ticket);
    await delay(pauseFor(ticket - row.serving, row, since));
    const current = await rows.served(root);
    if (current.serving > row.serving) moved = performance.now();
    row = current;
  }
}

/** Takes the turn of one root. */
export async function enter(rows: TurnRows, root: string, shared: Shared): Promise<void> {
  const before = shared.ticket;
  shared.ticket = await rows.takeTicket(root);
  shared.quiet = shared.ticket === before + 1 ? shared.quiet + 1 : 0;
  // The previous turn of this server has just ended, so that of the next ticket has begun.
  const isRecent = shared.ticket > before && before >= 0 && performance.now() - shared.over < 1000;
  const took = shared.over - shared.begun;
  const row = isRecent ? { serving: before + 1, took } : await rows.served(root);
  await wait(rows, root, shared.ticket, row);
  shared.begun = performance.now();
}

/** Regularly looks for the roots that servers share. */
export function watch(rows: TurnRows, clock: Clock) {
  let known: ReadonlySet<string> = new Set();
  let isOpen = true;
  let cancel = (): void => undefined;
  const check = async (): Promise<void> => {
    known = await rows.list().catch(() => known);
    plan();
  };
  const plan = (): void => {
    if (isOpen) cancel = clock.after(checkEvery, () => void check());
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
