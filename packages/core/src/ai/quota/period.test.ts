import { fc } from "test-support/property";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import { createZone } from "@telex/ground/time";
import { boundsOf, periodOf } from "./period.ts";
import type { Allocation } from "../../records/ai.ts";

type Period = Allocation["period"];

const periods: readonly Period[] = ["daily", "weekly", "monthly"];

/** Zones with whole, half and quarter hours; half an hour of daylight saving; midnights that are skipped or come twice; a day that never was. */
const zones = [
  "UTC",
  "Asia/Shanghai",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Apia",
  "America/St_Johns",
  "America/Havana",
  "America/Santiago",
  "Africa/Casablanca",
  "Asia/Tehran",
  "Europe/Berlin",
];

/** The same by the calendar of the language. */
function expected(at: number, timeZone: string, period: Period): { start: number; end: number } {
  const day = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
  const first = {
    daily: day,
    weekly: day.subtract({ days: day.dayOfWeek - 1 }),
    monthly: day.with({ day: 1 }),
  }[period];
  const next = first.add({ daily: { days: 1 }, weekly: { weeks: 1 }, monthly: { months: 1 } }[period]);
  const startOf = (date: Temporal.PlainDate): number => date.toZonedDateTime(timeZone).epochMilliseconds;
  return { start: startOf(first), end: startOf(next) };
}

function found(at: number, timeZone: string, period: Period): { start: number; end: number } {
  const zone = createZone(timeZone);
  return boundsOf(periodOf(zone.day(at), period), zone);
}

const place = {
  at: fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2060, 0, 1) }),
  zone: fc.constantFrom(...zones),
  period: fc.constantFrom(...periods),
};
const anywhere = fc.record(place);
/** Moments around the borders, where mistakes are. */
const nearBorder = fc
  .record({ ...place, by: fc.integer({ min: -7_200_000, max: 7_200_000 }) })
  .map(({ at, zone, period, by }) => ({ at: expected(at, zone, period).end + by, zone, period }));

describe("the borders of a quota period", () => {
  it("are those of the calendar, at any moment, in any zone", () => {
    fc.assert(
      fc.property(fc.oneof(anywhere, nearBorder), ({ at, zone, period }) => {
        expect(found(at, zone, period)).toEqual(expected(at, zone, period));
      }),
      { numRuns: 500 },
    );
  });

  it("hold the moment between them, and the next period begins where this one ends", () => {
    fc.assert(
      fc.property(nearBorder, ({ at, zone, period }) => {
        const { start, end } = found(at, zone, period);
        expect(start <= at && at < end).toBe(true);
        expect(found(end, zone, period).start).toBe(end);
        expect(found(start - 1, zone, period).end).toBe(start);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    // Half an hour of daylight saving: days of 23.5 and 24.5 hours.
    ["Australia/Lord_Howe", "daily", "2026-04-04T20:00:00Z", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z"],
    ["Australia/Lord_Howe", "daily", "2026-10-03T20:00:00Z", "2026-10-03T13:30:00Z", "2026-10-04T13:00:00Z"],
    ["Australia/Lord_Howe", "weekly", "2026-10-04T12:00:00Z", "2026-09-27T13:30:00Z", "2026-10-04T13:00:00Z"],
    ["Australia/Lord_Howe", "monthly", "2026-10-15T00:00:00Z", "2026-09-30T13:30:00Z", "2026-10-31T13:00:00Z"],
    // A leap day, alone and in its month.
    ["UTC", "daily", "2028-02-29T12:00:00Z", "2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z"],
    ["UTC", "monthly", "2028-02-29T23:59:59.999Z", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"],
    ["UTC", "monthly", "2100-02-28T23:59:59.999Z", "2100-02-01T00:00:00Z", "2100-03-01T00:00:00Z"],
    // A week across the new year, from Monday on.
    ["Asia/Shanghai", "weekly", "2027-01-03T15:59:59.999Z", "2026-12-27T16:00:00Z", "2027-01-03T16:00:00Z"],
    ["Asia/Shanghai", "weekly", "2027-01-03T16:00:00Z", "2027-01-03T16:00:00Z", "2027-01-10T16:00:00Z"],
    // 30 December 2011 never was on Samoa: the week of that day has six.
    ["Pacific/Apia", "daily", "2011-12-30T09:59:59Z", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"],
    ["Pacific/Apia", "weekly", "2011-12-30T12:00:00Z", "2011-12-26T10:00:00Z", "2012-01-01T10:00:00Z"],
  ] as const)("in %s, %s, at %s are %s and %s", (zone, period, at, start, end) => {
    const bounds = { start: Date.parse(start), end: Date.parse(end) };
    expect(found(Date.parse(at), zone, period)).toEqual(bounds);
    expect(expected(Date.parse(at), zone, period)).toEqual(bounds);
  });
});

describe("a quota period", () => {
  it.each([
    ["daily", "2026-11-20", "2026-11-20", "2026-11-21"],
    ["daily", "2024-02-28", "2024-02-28", "2024-02-29"],
    ["weekly", "2026-11-20", "2026-11-16", "2026-11-23"],
    ["weekly", "2026-11-16", "2026-11-16", "2026-11-23"],
    ["weekly", "2026-11-22", "2026-11-16", "2026-11-23"],
    ["monthly", "2026-11-20", "2026-11-01", "2026-12-01"],
    ["monthly", "2026-12-31", "2026-12-01", "2027-01-01"],
    ["monthly", "2024-02-29", "2024-02-01", "2024-03-01"],
  ] as const)("%s of %s goes from %s to %s", (period, day, from, to) => {
    expect(periodOf(day, period)).toEqual({ from, to });
  });

  it("begins and ends at midnight of the zone", () => {
    const zone = createZone("Asia/Kolkata");
    const { start, end } = boundsOf(periodOf(zone.day(Date.parse("2026-11-20T08:15:30.123Z")), "daily"), zone);
    expect([start, end].map((moment) => new Date(moment).toISOString())).toEqual([
      "2026-11-19T18:30:00.000Z",
      "2026-11-20T18:30:00.000Z",
    ]);
  });
});
