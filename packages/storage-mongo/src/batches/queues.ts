import { setImmediate as nextTick } from "node:timers/promises";
import { type DelegationDeps, createDelegate } from "./delegation.ts";
import { createLocks } from "./locks.ts";
import { createQueue, dropLate, type Queue, takeFirst, type Waiting } from "./waiting.ts";
import type { Turn, Turns } from "./turns.ts";

/** Limits of the verbs of one transaction. */
const share = { count: 100, bytes: 8 * 2 ** 20 } as const;

interface QueuesDeps extends DelegationDeps {
  readonly turns: Turns;
  readonly track: (work: Promise<void>) => Promise<void>;
  /** Runs a batch to its end. True if a transaction that ends the turn was committed last. */
  readonly run: (turn: Turn, batch: readonly Waiting[]) => Promise<boolean>;
}

/** The roots of a batch after the first one, which all verbs have in common: all second ones, then all third ones. */
function furtherRoots(batch: readonly Waiting[]): readonly (readonly string[])[] {
  const most = Math.max(1, ...batch.map(({ roots }) => roots.length));
  const levels = Array.from({ length: most - 1 }, (_, index) => index + 1);
  return levels.map((level) => [...new Set(batch.flatMap(({ roots }) => roots.slice(level, level + 1)))]);
}

/** Gathers the verbs of each root while the previous batch is running. */
export function createQueues({ turns, track, run, errands, retried }: QueuesDeps): (waiting: Waiting) => void {
  const queues = new Map<string, Queue>();
  const lock = createLocks();
  const delegate = createDelegate({ errands, retried });
  /** Waits for the turn while other servers run the verbs that they can run. Returns a function that releases the root. */
  async function takeTurn(root: string, queue: Queue, turn: Turn): Promise<() => void> {
    const release = await lock([root]);
    if (queue.waiting[0]?.isWrittenOnce === true) return release;
    const delegation = turns.isShared(root) ? delegate(root, queue) : null;
    await turn.add([root]);
    await delegation?.end();
    return release;
  }
  /** True if this server or another one has more to write in the turn. Callers in this server call again in the next tick. */
  async function hasMore(root: string, { waiting }: Queue): Promise<boolean> {
    await nextTick();
    return waiting.length > 0 || (await errands.areOpen(root).catch(() => false));
  }
  /** Locks the further roots only during one batch: the next batch of the turn may have others, for which another queue may be waiting. */
  async function runOne(turn: Turn, batch: readonly Waiting[]): Promise<boolean> {
    const releases: (() => void)[] = [];
    for (const roots of furtherRoots(batch)) {
      releases.push(await lock(roots));
      await turn.add(roots);
    }
    const wasCommitted = await run(turn, dropLate(batch));
    for (const release of releases) release();
    return wasCommitted;
  }
  /** Runs one batch, or several in a long turn, while no other batch of this server, and if possible of no other server, writes to its roots. */
  async function runNext(root: string, queue: Queue): Promise<void> {
    const turn = turns.begin();
    const release = await takeTurn(root, queue, turn);
    let wasCommitted = false;
    do {
      wasCommitted = await runOne(turn, takeFirst(queue.waiting, share));
    } while (turn.mayContinue() && (await hasMore(root, queue)));
    turn.pass(wasCommitted);
    release();
  }
  async function drain(root: string, queue: Queue): Promise<void> {
    while (queue.waiting.length > 0) await runNext(root, queue);
    queues.delete(root);
  }
  return (waiting) => {
    const [root = ""] = waiting.roots;
    const queue = queues.get(root);
    if (queue !== undefined) {
      queue.push(waiting);
      return;
    }
    const started = createQueue();
    started.push(waiting);
    queues.set(root, started);
    // Verbs of other callbacks in this tick join the batch.
    setImmediate(() => void track(drain(root, started)));
  };
}
