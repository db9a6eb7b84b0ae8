import { expect, it } from "vitest";
import { createSingleFlight } from "./single-flight.ts";

it("calls with one key share the work in progress, and later calls begin it again", async () => {
  const flights = createSingleFlight<number>();
  let begun = 0;
  const work = () => Promise.resolve((begun += 1));
  const together = [flights.run("a", work), flights.run("a", work), flights.run("b", work)];
  expect([flights.has("a"), flights.has("b"), flights.has("c")]).toEqual([true, true, false]);
  expect(await Promise.all(together)).toEqual([1, 1, 2]);
  expect(flights.has("a")).toBe(false);
  expect(await flights.run("a", work)).toBe(3);
});

it("a failure is shared as well, and not remembered", async () => {
  const flights = createSingleFlight<number>();
  const fail = () => Promise.reject(new Error("no"));
  const together = await Promise.allSettled([flights.run("a", fail), flights.run("a", () => Promise.resolve(1))]);
  expect(together.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await flights.run("a", () => Promise.resolve(1))).toBe(1);
});
