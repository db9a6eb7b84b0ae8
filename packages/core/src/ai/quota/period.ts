import type { Day, Zone } from "@telex/ground/time";
import type { DayRange } from "../store.ts";
import type { Allocation } from "../../records/ai.ts";

const dayMillis = 86_400_000;
const dayNumber = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / dayMillis;
const dayOf = (number: number): Day => new Date(number * dayMillis).toISOString().slice(0, 10);

function monthOf(day: Day): DayRange {
  const [year = 0, month = 1] = day.split("-").map(Number);
  const first = (offset: number): Day => new Date(Date.UTC(year, month - 1 + offset, 1)).toISOString().slice(0, 10);
  return { from: first(0), to: first(1) };
}

function weekOf(day: Day): DayRange {
  const number = dayNumber(day);
  // 1970-01-01 was a Thursday: three days after a Monday.
  const monday = number - ((((number + 3) % 7) + 7) % 7);
  return { from: dayOf(monday), to: dayOf(monday + 7) };
}

/** The days of the period of a day: that day, its week from Monday on, or its month. */
export function periodOf(day: Day, period: Allocation["period"]): DayRange {
  if (period === "monthly") return monthOf(day);
  if (period === "weekly") return weekOf(day);
  return { from: day, to: dayOf(dayNumber(day) + 1) };
}

/** A day and the days before it, `count` in total. */
export const lastDays = (day: Day, count: number): DayRange => ({
  from: dayOf(dayNumber(day) - count + 1),
  to: dayOf(dayNumber(day) + 1),
});

/** The first moment of a range of days and the first one after it, Unix milliseconds. */
export const boundsOf = (days: DayRange, zone: Zone): { readonly start: number; readonly end: number } => ({
  start: zone.startOf(days.from),
  end: zone.startOf(days.to),
});
