import { type Clock, systemClock } from "@telex/core";
import type { Db, Document } from "mongodb";

/** Milliseconds. A smaller difference may be the duration of the request. */
export const tolerance = 1000;

/** Milliseconds that a request may take. */
export const mostTime = 10_000;

/** Requests of one measurement: more than one only if the machine was suspended during the previous one. */
const mostRequests = 3;

export interface Clocks {
  readonly clock: Pick<Clock, "now">;
  /** Milliseconds since an arbitrary moment. Setting the clock does not change it, and it stands still while the machine is suspended. */
  readonly counter: () => number;
}

export const counter = (): number => performance.now();

const timeOf = ({ localTime }: Document): number | null => (localTime instanceof Date ? localTime.getTime() : null);

/** The result of one measurement. */
export interface Measured {
  /** The bounds of what to add to the counter: the database read its clock between the request and the response. */
  readonly least: number;
  readonly most: number;
  /** The difference between the counter and the clock of this server. It changes if the clock is set, or if the machine is suspended. */
  readonly offset: number;
  /** Milliseconds by which the clock is certainly ahead of the database's: 0 within the duration of the request. */
  readonly ahead: number;
}

export const offsetNow = ({ clock, counter: count }: Clocks): number => clock.now() - count();

/** True if the clock of this server was set, or the machine was suspended. */
export const hasMoved = (before: number, now: number): boolean => Math.abs(now - before) >= tolerance;

async function ask(db: Pick<Db, "command">, { clock, counter: count }: Clocks): Promise<Measured> {
  const [asked, begun] = [clock.now(), count()];
  const theirs = timeOf(await db.command({ hello: 1 }));
  const [answered, ended] = [clock.now(), count()];
  const time = theirs ?? answered;
  return {
    least: time - ended,
    most: time - begun,
    offset: answered - ended,
    ahead: time < asked ? asked - time : Math.min(0, answered - time),
  };
}

/** @param before the previous result: it is more exact than a request that was answered late */
export async function measure(
  db: Pick<Db, "command">,
  clocks: Clocks,
  before: Measured | null = null,
): Promise<Measured> {
  for (let requests = 1; ; requests += 1) {
    const offset = offsetNow(clocks);
    const measured = await ask(db, clocks);
    // A machine that was suspended during the request cannot know the age of the response.
    if (hasMoved(offset, measured.offset) && requests < mostRequests) continue;
    if (before === null || hasMoved(before.offset, measured.offset)) return measured;
    const isPossible = before.least <= measured.most && measured.least <= before.most;
    const isKept = isPossible && isInexact(measured) && widthOf(before) <= widthOf(measured);
    return isKept ? { ...measured, least: before.least, most: before.most } : measured;
  }
}

const widthOf = ({ least, most }: Measured): number => most - least;

export const isInexact = (measured: Measured): boolean => widthOf(measured) > tolerance;

/** Unix milliseconds of the database. */
export async function askTime(db: Pick<Db, "command">): Promise<number> {
  const { least } = await measure(db, { clock: systemClock, counter });
  return Math.floor(least + counter());
}

/** How far a clock is ahead: `known`, or the nearest possible value if that is at least a second away. */
export function nearest(known: number, { least, most }: Measured, offset: number): number {
  const closest = Math.min(Math.max(known, offset - most), offset - least);
  return Math.abs(closest - known) >= tolerance ? closest : known;
}
