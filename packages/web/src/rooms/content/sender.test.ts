import { expect, test } from "vitest";
import { isBy, isSameSender } from "./sender.ts";

const here = { userId: "1", avatar: "/api/avatar/get/personal?id=1" };
const there = { userId: "1", avatar: "/api/avatar/get/EXTpersonal?id=1" };

test("a person of an external network with the ID of a local user is a different sender", () => {
  expect([isBy(here, "1"), isBy(there, "1"), isBy(here, "2")]).toEqual([true, false, false]);
  expect([isSameSender(here, here), isSameSender(there, there), isSameSender(here, there)]).toEqual([
    true,
    true,
    false,
  ]);
});

test("a message without an avatar is from the user with its ID", () => {
  expect(isBy({ userId: "1", avatar: null }, "1")).toBe(true);
});
