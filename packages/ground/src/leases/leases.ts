import { randomUUID } from "node:crypto";
import { createInTurn, type InTurn } from "../concurrency/index.ts";
import type { Logger } from "../log/index.ts";
import type { Clock } from "../time/index.ts";
import type { LeasesLimits } from "./limits.ts";
import { assertLife, assertName } from "./assert.ts";
import { createHeldLease, createPlan, heldLeaseFrom } from "./held-lease.ts";
import type { LeaseRecord, LeaseStore } from "./store.ts";

const noteLength = 8192;
/** Maximum milliseconds until a changed note is stored. */
const noteDelay = 500;

/** Handlers for the states of a lease that this server wants. */
export interface LeaseHooks {
  /** Called when this server has taken the lease. Not called after `release`, even if the lease was being taken. */
  readonly held?: () => void;
  /** Called when this server has lost the lease, and another one may do the work. Not called by `release`. */
  readonly lost: () => void;
}

/** The lease of work that only one server of the installation does at a time. */
export interface Lease {
  /** True while this server may do the work. Becomes false some time before another server can take it, even if the storage is unavailable. */
  readonly isHeld: boolean;
  /**
   * Takes the lease if it is free. Resolves with true if this server has it. Rejects like the storage.
   * @param over the number of a lease to be taken although it has not ended, because its holder is gone
   */
  take(over?: number): Promise<boolean>;
  /** Takes the lease whenever it is free, until `release`. Never fails, but tries again after errors of the storage. */
  keep(): void;
  /** Sets a note of at most 8,192 characters that every server can read, even after the end of the lease. Stored within half a second. */
  say(note: string): void;
  /** Releases the lease, so that another server can take it immediately. Never rejects. It can be taken or kept again. */
  release(): Promise<void>;
}

/** Work that only one server of an installation does at a time: a connection to an external network, for example. */
export interface Leases {
  /**
   * Opens a lease, which this server does not have yet. A server must not open two leases with one name.
   * @param name 1 to 128 characters
   * @throws TypeError for another length
   */
  open(name: string, hooks: LeaseHooks): Lease;
  /**
   * Resolves with true for the first caller of the installation, and with false for all others until the time is over. Rejects like the storage,
   * and then the name may or may not be claimed. Rejects with a `TypeError` for an invalid name or life.
   * @param name 1 to 128 characters. Claims and leases do not share names.
   * @param life milliseconds, a whole number from 1 to 31,536,000,000 (a year)
   */
  claim(name: string, life: number): Promise<boolean>;
}

interface LeaseDeps {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly limits: Pick<LeasesLimits, "leaseLife">;
  readonly log: Logger;
  readonly server: string;
}

/** A lease, with the calls that the server makes. */
interface OpenLease extends Lease {
  /** Call it after any server has taken or released the lease. */
  changed(): void;
  /** Ends the work of this server and releases the lease. Never rejects. */
  handOver(): Promise<void>;
}

interface OneLease extends LeaseDeps {
  readonly name: string;
  readonly holder: string;
  readonly hooks: LeaseHooks;
  /** Runs the calls of the store for one name in order. */
  readonly turns: InTurn;
  /** Notes that the lease may be held, or was released. */
  readonly used: (isUsed: boolean) => void;
  /** True if this server must not take more leases. */
  readonly isDraining: () => boolean;
}

/** The note of a lease, and the stored note. */
interface NoteState {
  note: string;
  saved: string;
  isSavePlanned: boolean;
}

type TakeRequest = Omit<Parameters<LeaseStore["takeLease"]>[0], "name" | "holder">;

/**
 * Takes a lease. If the outcome of an attempt is unknown, the next attempt checks if this server already has the lease. Otherwise, a server
 * whose take was stored, but whose response was lost, would wait for the end of its own lease.
 */
function createTake({ store, name, holder }: OneLease) {
  let isUnknown = false;
  const findOwn = async (): Promise<number | undefined> =>
    (await store.listLeases(name)).find((lease) => lease.name === name && lease.holder === holder)?.fence;
  return async (request: TakeRequest): Promise<LeaseRecord | null> => {
    const wasUnknown = isUnknown;
    isUnknown = true;
    const take = (over: number | undefined) => store.takeLease({ ...request, name, holder, over });
    const taken = await take(request.over);
    const own = taken === null && wasUnknown ? await findOwn() : undefined;
    const lease = own === undefined ? taken : await take(own);
    isUnknown = false;
    return lease;
  };
}

function createVerbs(deps: OneLease, held: ReturnType<typeof createHeldLease>) {
  const { store, clock, limits, log, name, turns, hooks, isDraining } = deps;
  const noteState: NoteState = { note: "", saved: "", isSavePlanned: false };
  const life = limits.leaseLife;
  const takeOrFind = createTake(deps);
  /** Waits for a pending `take`, whose lease is released as well. */
  const release = (isWanted: () => boolean, released: () => void): Promise<void> =>
    turns
      .run(name, async () => {
        const before = held.current();
        if (before === null || isWanted()) return;
        held.set(null);
        released();
        await store.releaseLease({ name, fence: before.fence, note: noteState.note });
      })
      .catch((cause: unknown) => log.error("lease.failed", { lease: name }, cause));
  return {
    noteState,
    /** True if the note has to be stored and no save is planned. */
    say(note: string): boolean {
      noteState.note = note.slice(0, noteLength);
      const isNew = !noteState.isSavePlanned && held.current() !== null && noteState.note !== noteState.saved;
      noteState.isSavePlanned ||= isNew;
      return isNew;
    },
    /** True if this server has it now. */
    take(over?: number): Promise<boolean> {
      const [begun, note] = [clock.now(), noteState.note];
      return turns.run(name, async () => {
        if (isDraining()) return false;
        const lease = await takeOrFind({ now: begun, until: begun + life, note, over });
        if (lease === null) return false;
        held.set(heldLeaseFrom(begun, lease.fence, life));
        noteState.saved = note;
        // A planned save has ended with the previous lease.
        noteState.isSavePlanned = false;
        return true;
      });
    },
    /** True if it was renewed, false if another server has it, null if the store is unavailable. */
    async renew(fence: number): Promise<boolean | null> {
      const [begun, note] = [clock.now(), noteState.note];
      noteState.isSavePlanned = false;
      const isOwn = await store.touchLease({ name, fence, until: begun + life, note }).catch(() => null);
      if (held.current()?.fence !== fence) return null;
      if (isOwn !== true) return isOwn;
      held.set(heldLeaseFrom(begun, fence, life));
      noteState.saved = note;
      return true;
    },
    release: (isWanted: () => boolean): Promise<void> => release(isWanted, () => undefined),
    /** Ends the work, and then releases the lease. */
    handOver: (): Promise<void> => release(() => false, hooks.lost),
  };
}

function openLease(deps: OneLease): OpenLease {
  const { clock, hooks, used } = deps;
  const life = deps.limits.leaseLife;
  const held = createHeldLease(clock, () => lose());
  const verbs = createVerbs(deps, held);
  let isWanted = false;
  let taking: Promise<boolean> | null = null;
  const later = createPlan(clock);

  function lose(): void {
    held.set(null);
    later.cancel();
    hooks.lost();
    if (isWanted) later.plan(life / 3, attempt);
  }
  const renew = async (): Promise<void> => {
    const before = held.current();
    const isOwn = before === null ? null : await verbs.renew(before.fence);
    if (held.current() === null) return;
    if (isOwn === false) lose();
    else if (!verbs.noteState.isSavePlanned) later.plan(isOwn === null ? life / 15 : life / 3, renew);
  };
  const takeNow = async (over?: number): Promise<boolean> => {
    if (!(await verbs.take(over)) || held.current() === null) return false;
    later.plan(verbs.noteState.note === verbs.noteState.saved ? life / 3 : noteDelay, renew);
    hooks.held?.();
    return true;
  };
  const take = async (over?: number): Promise<boolean> => {
    used(true);
    return held.isHeld() || (taking ??= takeNow(over).finally(() => (taking = null)));
  };
  async function attempt(): Promise<void> {
    if (!isWanted || held.current() !== null) return;
    const isTaken = await take().catch(() => null);
    if (isTaken !== true && isWanted && held.current() === null)
      later.plan(isTaken === null ? life / 15 : life / 3, attempt);
  }
  return {
    get isHeld() {
      return held.isHeld();
    },
    take,
    keep() {
      isWanted = true;
      void attempt();
    },
    say(note) {
      if (verbs.say(note)) later.plan(noteDelay, renew);
    },
    // Another server may have taken the lease.
    changed: () => void (held.current() === null ? attempt() : renew()),
    release() {
      isWanted = false;
      later.cancel();
      used(false);
      return verbs.release(() => isWanted);
    },
    handOver: verbs.handOver,
  };
}

/** The leases of one server. `server` is its name; servers with one store share the leases. */
export function createLeases(deps: LeaseDeps) {
  const holder = `${deps.server}/${randomUUID()}`;
  const turns = createInTurn();
  const used = new Map<string, OpenLease>();
  let isDraining = false;
  return {
    holder,
    open(name: string, hooks: LeaseHooks): Lease {
      assertName(name);
      const lease: OpenLease = openLease({
        store: deps.store,
        clock: deps.clock,
        limits: deps.limits,
        log: deps.log,
        server: deps.server,
        holder,
        turns,
        isDraining: () => isDraining,
        name,
        hooks,
        used(isUsed) {
          if (isUsed) used.set(name, lease);
          else if (used.get(name) === lease) used.delete(name);
        },
      });
      return lease;
    },
    async claim(name: string, life: number): Promise<boolean> {
      assertName(name);
      assertLife(life);
      const now = deps.clock.now();
      return deps.store.claim({ name, now, until: now + life });
    },
    /** Call it when a lease was taken or released by any server. */
    changed: (name: string): void => used.get(name)?.changed(),
    /** Ends the work of all leases, releases them, and takes no more. */
    async drain(): Promise<void> {
      isDraining = true;
      await Promise.all(Array.from(used.values(), (lease) => lease.handOver()));
    },
    /** Releases all leases, so that other servers can take them. */
    async close(): Promise<void> {
      await Promise.all(Array.from(used.values(), (lease) => lease.release()));
    },
  };
}
