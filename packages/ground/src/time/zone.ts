import { LRUCache } from "lru-cache";

const pad = (value: number, width = 2): string => String(value).padStart(width, "0");

const formatOffset = (minutes: number): string => {
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(distance / 60))}:${pad(distance % 60)}`;
};

/** A calendar day in a zone, `YYYY-MM-DD`. */
export type Day = string;

/** The time zone of an installation. */
export interface Zone {
  /** `2026-11-20T08:15:30.123+00:00`: ISO 8601 with milliseconds and the zone's offset at that moment. */
  format(at: number): string;
  /** The calendar day of a moment. */
  day(at: number): Day;
  /** The first moment of a calendar day. If midnight does not exist, the first moment that does. */
  startOf(day: Day): number;
}

const minute = 60_000;

const wallFields: Intl.DateTimeFormatOptions = {
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
};

/** Minutes that the wall clock of a zone is ahead of UTC. */
function offsetReader(timeZone: string): (at: number) => number {
  if (timeZone === "UTC") return () => 0;
  const wall = new Intl.DateTimeFormat("en-US", { timeZone, ...wallFields });
  return (at) => {
    const parts = new Map(wall.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
    return Math.round((shown - Math.floor(at / 1000) * 1000) / minute);
  };
}

/** Caches the last offset, because offsets only change on quarter hours. */
function remembered(read: (at: number) => number): (at: number) => number {
  const quarter = 15 * minute;
  let cached = { quarter: Number.NaN, offset: 0 };
  return (at) => {
    const here = Math.floor(at / quarter);
    if (here !== cached.quarter) cached = { quarter: here, offset: read(at) };
    return cached.offset;
  };
}

/**
 * The zone with an IANA name.
 * @throws RangeError if there is no such zone.
 */
export function createZone(timeZone: string): Zone {
  const offsetAt = remembered(offsetReader(timeZone));
  const wallTime = (at: number): string => new Date(at + offsetAt(at) * minute).toISOString();
  // The same few seconds are formatted repeatedly: the current one, and those in which devices were registered. There are too
  // many moments to cache: entries that live for a second or two cost more to collect than to format.
  const seconds = new LRUCache<number, { readonly wall: string; readonly offset: string }>({ max: 1000 });
  const read = (second: number): { readonly wall: string; readonly offset: string } => {
    const at = second * 1000;
    return { wall: wallTime(at).slice(0, -5), offset: formatOffset(offsetAt(at)) };
  };
  return {
    format(at) {
      const second = Math.floor(at / 1000);
      let cached = seconds.get(second);
      if (cached === undefined) {
        cached = read(second);
        seconds.set(second, cached);
      }
      // Joined, because JSON.stringify leaves its fast path for a text that V8 stores in pieces, and starts again.
      return [cached.wall, ".", pad(at - second * 1000, 3), cached.offset].join("");
    },
    day: (at) => wallTime(at).slice(0, 10),
    startOf: (day) => startOf(day, offsetAt, wallTime),
  };
}

function startOf(day: Day, offsetAt: (at: number) => number, wallTime: (at: number) => string): number {
  const utc = Date.parse(`${day}T00:00:00.000Z`);
  // Offsets are within ±26 h. The first of these moments with the right day is its start.
  const candidates = [utc - offsetAt(utc - 26 * 60 * minute) * minute, utc - offsetAt(utc + 26 * 60 * minute) * minute];
  const exact = candidates.filter((at) => wallTime(at).startsWith(`${day}T00:00`)).toSorted((a, b) => a - b)[0];
  return exact ?? firstMoment(day, utc, wallTime);
}

/** The start of a day whose midnight was skipped by the clocks, found by a search to the minute. */
function firstMoment(day: Day, utc: number, wallTime: (at: number) => string): number {
  let before = utc - 26 * 60 * minute;
  let after = utc + 26 * 60 * minute;
  while (after - before > minute) {
    const middle = before + Math.floor((after - before) / (2 * minute)) * minute;
    if (wallTime(middle).slice(0, 10) < day) before = middle;
    else after = middle;
  }
  return after;
}
