import { expect, it } from "vitest";
import { createTogether } from "./together.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

function scene() {
  const loads: (readonly number[])[] = [];
  const state = { fails: false };
  const find = createTogether(
    async (keys: readonly number[]) => {
      loads.push(keys);
      await Promise.resolve();
      if (state.fails) throw new Error("away");
      return keys.filter((key) => key % 2 === 0).map((key) => ({ key, value: `v${key}` }));
    },
    ({ key }) => key,
  );
  return { loads, state, find };
}

it("keys that are requested in one tick are loaded together, each once, at most 1,000 at a time", async () => {
  const { loads, find } = scene();
  const found = await Promise.all([...numbers(1500), 2, 3].map(find));
  expect(loads.map(({ length }) => length)).toEqual([1000, 502]);
  expect(found.slice(0, 4)).toEqual([{ key: 0, value: "v0" }, null, { key: 2, value: "v2" }, null]);
  expect(found.slice(-2)).toEqual([{ key: 2, value: "v2" }, null]);
});

it("a later question loads again, and a failure is that of its own load", async () => {
  const { loads, state, find } = scene();
  state.fails = true;
  const failed = await Promise.allSettled([find(1), find(2)]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  state.fails = false;
  expect(await find(2)).toEqual({ key: 2, value: "v2" });
  expect(loads).toEqual([[1, 2], [2]]);
});
