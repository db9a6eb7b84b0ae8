import { expect, test } from "vitest";
import { createMemoryKeeper } from "../../test/keeper.ts";
import { createShelf, type Keeper } from "./shelf.ts";

test("a shelf reads its own values, and not those of other shelves", () => {
  const keeper = createMemoryKeeper();
  const one = createShelf(keeper, "one.");
  const two = createShelf(keeper, "two.");
  one.write("a", "1");
  one.folder("deep").write("b", "2");
  two.write("a", "3");
  expect(one.read("a")).toBe("1");
  expect(one.folder("deep").names()).toEqual(["b"]);
  one.clear();
  expect([one.read("a"), one.folder("deep").read("b"), two.read("a")]).toEqual([null, null, "3"]);
});

test("a browser without storage causes no error", () => {
  const refuse = (): never => {
    throw new DOMException("denied", "SecurityError");
  };
  const keeper: Keeper = { length: 1, key: refuse, getItem: refuse, setItem: refuse, removeItem: refuse };
  const shelf = createShelf(keeper, "one.");
  shelf.write("a", "1");
  shelf.remove("a");
  shelf.clear();
  expect([shelf.read("a"), shelf.names()]).toEqual([null, []]);
});
