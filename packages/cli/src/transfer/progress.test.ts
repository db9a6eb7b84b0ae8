import { expect, it } from "vitest";
import { barOf } from "./progress.ts";

it("shows what is done as a bar, in percent and in numbers", () => {
  expect(barOf({ phase: "records", done: 500, total: 1000 })).toBe(
    `records ${"█".repeat(15)}${"░".repeat(15)}  50 %  500 of 1000`,
  );
  expect(barOf({ phase: "check", done: 999, total: 1000 })).toContain(" 99 %");
  expect(barOf({ phase: "files", done: 0, total: 0 })).toContain("100 %");
});
