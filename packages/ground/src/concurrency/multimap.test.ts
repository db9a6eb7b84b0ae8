import { expect, it } from "vitest";
import { createMultimap } from "./multimap.ts";

it("keeps the values of each key, and forgets keys without values", () => {
  const map = createMultimap<string, number>();
  map.add("a", 1);
  map.add("a", 2);
  map.add("a", 2);
  map.add("b", 3);
  expect([...map.of("a")]).toEqual([1, 2]);
  expect([map.remove("b", 3), map.remove("b", 3), map.remove("a", 9)]).toEqual([true, false, false]);
  expect([...map.keys()]).toEqual(["a"]);
  expect([...map.of("b")]).toEqual([]);
});
