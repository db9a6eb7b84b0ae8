import { expect, it } from "vitest";
import { createLru } from "./lru.ts";

it("an empty cache has no values to return or remove", () => {
  const cache = createLru<string, number>(2);
  cache.delete("a");
  expect([cache.get("a"), cache.has("a"), cache.size]).toEqual([undefined, false, 0]);
});

it("the least recently used value is evicted", () => {
  const cache = createLru<string, number>(2);
  cache.set("a", 1);
  cache.set("b", 2);
  expect(cache.get("a")).toBe(1);
  cache.set("c", 3);
  expect([cache.has("a"), cache.has("b"), cache.get("c"), cache.size]).toEqual([true, false, 3, 2]);
  cache.delete("a");
  expect(cache.has("a")).toBe(false);
});
