import type { Life } from "../link/life.ts";
import type { Link, Role } from "../link/link.ts";

/** Milliseconds for an open connection to show that it is alive when another one wants its slot. */
export const takeoverTime = 5000;

export interface Slot {
  readonly link: Link;
  readonly role: Role;
  readonly life: Life;
}

export const overlaps = (a: Role, b: Role): boolean => a === "universal" || b === "universal" || a === b;

/** A connection that may get a slot now, later or never. */
export interface Candidacy {
  slot: Slot | null;
  isClosed: boolean;
}

/** Resolves with true if one of these connections still has its slot, and shows that it is alive. */
export async function isAnyAlive(old: readonly Slot[], slots: ReadonlySet<Slot>): Promise<boolean> {
  const alive = await Promise.all(old.map(({ life }) => life.check(takeoverTime)));
  return old.some((slot, index) => slots.has(slot) && alive[index] === true);
}

/** The connection that takes actions. */
export const findActing = (slots: ReadonlySet<Slot>): Slot | null =>
  [...slots].find(({ role }) => role !== "event") ?? null;
