import { AssertionError } from "node:assert";
import { describe, expect, it } from "vitest";
import { brokenGateways, subjectOf } from "./broken/gateways.ts";
import { createMemoryNetwork } from "@telex/conformance/testing";
import { gatewayCases, gatewayConformance } from "../src/index.ts";

describe("in memory", () => {
  gatewayConformance({ test: it, create: () => Promise.resolve(subjectOf(createMemoryNetwork())) });
});

describe("a gateway that is wrong is found out", () => {
  for (const { fault, found, create } of brokenGateways) {
    it(`${fault}: ${found}`, async () => {
      const failed = gatewayCases.find(({ name }) => name === `gateway: ${found}`);
      if (failed === undefined) throw new TypeError(`There is no case "${found}".`);
      await expect(failed.run(create())).rejects.toBeInstanceOf(AssertionError);
    });
  }

  it("has a wrong gateway for every case", () => {
    const found = new Set(brokenGateways.map((broken) => `gateway: ${broken.found}`));
    expect(gatewayCases.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([]);
  });
});
