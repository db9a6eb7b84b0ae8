import type { Clock } from "@telex/core";
import { watchLife } from "../link/life.ts";
import type { Link, LinkHooks, Role } from "../link/link.ts";
import { takeoverTime, type Slot, overlaps, type Candidacy, isAnyAlive, findActing } from "./slot.ts";

/** The close code of a connection whose account already has a live one. */
const closeTaken = 4409;

/** Called for the connections of an account. */
interface SlotEvents {
  /** Called when a connection has a slot. */
  opened(): void;
  /** @param isOld true for a frame that says nothing about the current state */
  received(text: string, isOld: boolean): void;
  /** Called when the action with this echo will get no answer. */
  readonly lost: (echo: string) => void;
  /** Called when a connection has left. */
  left(): void;
  /** Called when a connection was refused, because a live one has its slot. */
  readonly taken: () => void;
  /** Milliseconds of silence after which a connection is suspect. */
  silence(): number;
}

/** The connections of one account: one for actions and one for events, or one for both. */
export interface Slots {
  /** The one for actions, or null. */
  readonly api: Link | null;
  readonly isEmpty: boolean;
  /** Resolves with true if the one for actions sends something within 5 s. */
  isAlive(): Promise<boolean>;
  /** Adds a connection. A slot that is taken changes hands only if the old connection is dead. */
  add(link: Link, role: Role): LinkHooks;
  pause(): void;
  resume(): void;
  /** Closes all connections, and ignores everything from them afterwards. */
  close(code: number): void;
}

/** The handlers of a connection, which do nothing before it has a slot. */
const hooksOf = (
  candidacy: Candidacy,
  slots: ReadonlySet<Slot>,
  events: SlotEvents,
  leave: (slot: Slot) => void,
): LinkHooks => ({
  received(text, isOld = false) {
    if (!isOld) candidacy.slot?.life.heard();
    if (candidacy.slot !== null && slots.has(candidacy.slot)) events.received(text, isOld);
  },
  lost(echo) {
    if (candidacy.slot !== null && slots.has(candidacy.slot)) events.lost(echo);
  },
  alive: () => candidacy.slot?.life.heard(),
  closed() {
    candidacy.isClosed = true;
    if (candidacy.slot !== null) leave(candidacy.slot);
  },
});

/** Closes a connection that gets no slot. */
function refuse(link: Link, { taken }: Pick<SlotEvents, "taken">): void {
  taken();
  link.close(closeTaken);
}

function setRead(slots: ReadonlySet<Slot>, isRead: boolean): void {
  for (const { link, life } of slots) {
    life.setRead(isRead);
    if (isRead) link.resume();
    else link.pause();
  }
}

export function createSlots(clock: Clock, events: SlotEvents): Slots {
  const slots = new Set<Slot>();
  let candidate: Link | null = null;

  const findApi = (): Slot | null => findActing(slots);
  const leave = (slot: Slot): void => {
    slot.life.stop();
    if (slots.delete(slot)) events.left();
  };
  const enter = (link: Link, role: Role): Slot => {
    const slot = { link, role, life: watchLife(link, clock, () => events.silence()) };
    slots.add(slot);
    events.opened();
    return slot;
  };
  /** Closes the old connections. Resolves with false if one of them is still alive. */
  const takeOver = async (old: readonly Slot[]): Promise<boolean> => {
    if (await isAnyAlive(old, slots)) return false;
    for (const slot of old) {
      slot.link.terminate();
      leave(slot);
    }
    return true;
  };
  const contend = async (link: Link, role: Role, old: readonly Slot[], candidacy: Candidacy): Promise<void> => {
    link.pause();
    candidate = link;
    const isFree = await takeOver(old);
    candidate = null;
    link.resume();
    if (isFree && !candidacy.isClosed) candidacy.slot = enter(link, role);
    else refuse(link, events);
  };

  return {
    get api() {
      return findApi()?.link ?? null;
    },
    get isEmpty() {
      return slots.size === 0;
    },
    isAlive: async () => (await findApi()?.life.check(takeoverTime)) === true,
    add(link, role) {
      const candidacy: Candidacy = { slot: null, isClosed: false };
      const old = [...slots].filter((other) => overlaps(role, other.role));
      if (old.length === 0) candidacy.slot = enter(link, role);
      else if (candidate === null) void contend(link, role, old, candidacy);
      else refuse(link, events);
      return hooksOf(candidacy, slots, events, leave);
    },
    pause: () => setRead(slots, false),
    resume: () => setRead(slots, true),
    close(code) {
      candidate?.close(code);
      for (const slot of slots) {
        slot.link.close(code);
        leave(slot);
      }
    },
  };
}
