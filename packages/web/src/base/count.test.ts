import { expect, test } from "vitest";
import { countCharacters } from "./count.ts";

test("characters are counted in code points, like the limit", () => {
  expect(["", "abc", "电传", "🦉🦉", "e\u0301"].map(countCharacters)).toEqual([0, 3, 2, 2, 2]);
});
