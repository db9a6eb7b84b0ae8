import { AssertionError } from "node:assert";
import { describe, expect, it } from "vitest";
import { createLocalBus } from "@telex/core";
import { brokenBuses } from "./broken/buses.ts";
import { busCases, busConformance, type BusSubject, withLosses } from "../src/index.ts";

const subjectOf = (spoil: (bus: ReturnType<typeof createLocalBus>, server: number) => typeof bus): BusSubject => {
  const [ours, theirs] = [createLocalBus(), createLocalBus()];
  let servers = 0;
  return {
    server: () => Promise.resolve(spoil(ours, (servers += 1))),
    stranger: () => Promise.resolve(spoil(theirs, (servers += 1))),
    destroy: () => Promise.resolve(),
  };
};

describe("within the process", () => {
  busConformance({ test: it, create: () => Promise.resolve(subjectOf((bus) => bus)) });
});

describe("with losses", () => {
  busConformance({ test: it, create: () => Promise.resolve(subjectOf(withLosses)) });
});

describe("a bus that is wrong is found out", () => {
  for (const { fault, found, create } of brokenBuses) {
    it(`${fault}: ${found}`, async () => {
      const failed = busCases.find(({ name }) => name === `bus: ${found}`);
      if (failed === undefined) throw new TypeError(`There is no case "${found}".`);
      await expect(failed.run(create())).rejects.toBeInstanceOf(AssertionError);
    });
  }

  it("has a wrong bus for every case", () => {
    const found = new Set(brokenBuses.map((broken) => `bus: ${broken.found}`));
    expect(busCases.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([]);
  });
});
