import { expect, it } from "vitest";
import { createUnfinishedFrames } from "./budget.ts";

it("the connection that holds the most is cut when all together hold too much", () => {
  const cut: string[] = [];
  const frames = createUnfinishedFrames(100);
  const [small, large, finished] = ["small", "large", "finished"].map((name) => frames.open(() => cut.push(name)));
  finished?.came(90);
  finished?.finished();
  large?.came(60);
  small?.came(39);
  expect(cut).toEqual([]);
  small?.came(1);
  expect(cut).toEqual(["large"]);
  small?.came(59);
  expect(cut).toEqual(["large"]);
  small?.came(1);
  expect(cut).toEqual(["large", "small"]);
});
