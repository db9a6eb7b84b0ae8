import { expect, test } from "vitest";
import { deliveryOf, usual } from "./delivery.ts";

test("only options that differ from the default are sent", () => {
  expect(deliveryOf(usual)).toEqual({});
  expect(deliveryOf({ ...usual, title: "  Tea  ", priority: 5, life: "hour" })).toEqual({
    title: "Tea",
    priority: 5,
    life: 3600,
  });
});

test("a time in the local time zone is converted", () => {
  const { at } = deliveryOf({ ...usual, at: "2027-01-02T08:30" });
  expect(new Date(at ?? "").getTime()).toBe(new Date(2027, 0, 2, 8, 30).getTime());
});
