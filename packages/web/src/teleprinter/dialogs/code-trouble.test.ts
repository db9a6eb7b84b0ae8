import { expect, test } from "vitest";
import { codeTrouble } from "./code-trouble.ts";

test("a possible code has no error, however it is separated", () => {
  for (const typed of ["BCDF-GHJK", "bcdfghjk", " BCDF GHJK ", "BCDF\u2013GHJK"]) expect(codeTrouble(typed)).toBe(null);
});

test("a character that codes never contain is named once", () => {
  expect(codeTrouble("BCD0-GH0A")).toEqual({ kind: "characters", found: ["0", "A"] });
});

test("a letter too few or too many is counted", () => {
  expect(codeTrouble("BCDF-GHJ")).toEqual({ kind: "length", count: 7 });
  expect(codeTrouble("BCDF-GHJKL")).toEqual({ kind: "length", count: 9 });
});
