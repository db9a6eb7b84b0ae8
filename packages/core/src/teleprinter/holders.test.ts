import { expect, it } from "vitest";
import { createHolders } from "./holders.ts";

it("names every holder of every server differently", () => {
  const servers = [createHolders(), createHolders()];
  const holders = servers.flatMap((newHolder) => [newHolder(), newHolder(), newHolder()]);
  expect(new Set(holders).size).toBe(6);
});
