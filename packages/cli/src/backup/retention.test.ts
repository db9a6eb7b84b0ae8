import { expect, it } from "vitest";
import { dateName, dateOf, outdated } from "./retention.ts";

const day = 86_400_000;
const now = Date.UTC(2026, 10, 22, 12);

/** Complete backups of this age in days. */
const daysAgo = (...days: readonly number[]) =>
  days.map((age) => ({ name: dateName(new Date(now - age * day)), isComplete: true }));
const names = (...days: readonly number[]) => daysAgo(...days).map(({ name }) => name);

it("names a backup by its time, so that the names are in the order of time", () => {
  expect(dateName(new Date(now))).toBe("2026-11-22T12-00-00.000Z");
  expect(dateOf("2026-11-22T12-00-00.000Z")).toBe(now);
  expect(dateOf("2026-11-22T12-00-00.000Z.partial")).toBe(now);
  for (const foreign of ["", "monday", "2026-11-22", "x2026-11-22T12-00-00.000Z", "2026-19-22T12-00-00.000Z"]) {
    expect(dateOf(foreign)).toBeNull();
  }
});

it("keeps the newest ones, in whichever order they are found", () => {
  expect(outdated(daysAgo(2, 0, 3, 1), { keep: 2, keepFor: null }, now)).toEqual(names(2, 3));
});

it("keeps those that are young, and always the newest one", () => {
  expect(outdated(daysAgo(0, 1, 6, 7, 8), { keep: null, keepFor: 7 * day }, now)).toEqual(names(7, 8));
  expect(outdated(daysAgo(8, 9), { keep: null, keepFor: 7 * day }, now)).toEqual(names(9));
});

it("keeps the one that was just made, also if the clock was ahead before", () => {
  expect(outdated(daysAgo(-30, 0, 1), { keep: 1, keepFor: null }, now)).toEqual(names(1));
});

it("keeps what one of the two rules keeps", () => {
  expect(outdated(daysAgo(0, 1, 2, 30), { keep: 1, keepFor: 2.5 * day }, now)).toEqual(names(30));
  expect(outdated(daysAgo(10, 20, 30), { keep: 2, keepFor: day }, now)).toEqual(names(30));
});

it("removes what was interrupted more than a day ago, and counts it as no backup", () => {
  const interrupted = daysAgo(0.5, 2, 3).map(({ name }) => ({ name, isComplete: false }));
  const found = [...interrupted, ...daysAgo(4, 5)];
  expect(outdated(found, { keep: 1, keepFor: null }, now)).toEqual([...names(5), ...names(2, 3)]);
});

it("leaves everything else in the folder alone", () => {
  const found = ["monday", "2026-11-01", "diary.txt"].map((name) => ({ name, isComplete: true }));
  expect(outdated(found, { keep: 1, keepFor: 1 }, now)).toEqual([]);
});
