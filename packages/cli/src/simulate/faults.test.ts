import { describe, expect, it } from "vitest";
import { createDeviceClock, withFaults } from "./faults.ts";
import type { Fault } from "./faults.ts";
import { createRandom } from "@telex/conformance/testing";

/** The number of requests and responses that arrived, out of 400. */
async function tally(faults: readonly Fault[]): Promise<{ arrived: number; answered: number }> {
  let arrived = 0;
  const network = withFaults(
    () => {
      arrived += 1;
      return Promise.resolve(Response.json({}));
    },
    new Set(faults),
    createRandom(1),
  );
  const answers = Array.from(
    { length: 400 },
    async () => await network(new Request("http://a.example")).catch(() => null),
  );
  const answered = (await Promise.all(answers)).filter((answer) => answer !== null).length;
  return { arrived, answered };
}

describe("a network with faults", () => {
  it("changes nothing without any", async () => {
    expect(await tally([])).toEqual({ arrived: 400, answered: 400 });
  });

  it("loses requests, and answers to requests that arrived, with drop", async () => {
    const { arrived, answered } = await tally(["drop"]);
    expect(arrived).toBeLessThan(400);
    expect(answered).toBeLessThan(arrived);
    expect(answered).toBeGreaterThan(250);
  });

  it("sends some requests twice with dup, and gives one answer", async () => {
    const { arrived, answered } = await tally(["dup"]);
    expect(arrived).toBeGreaterThan(400);
    expect(answered).toBe(400);
  });

  it("does the same again with the same seed", async () => {
    expect(await tally(["drop", "dup"])).toEqual(await tally(["drop", "dup"]));
  });
});

describe("a device's clock", () => {
  it("is right without skew, and wrong by minutes with it", () => {
    const right = createDeviceClock(new Set(), createRandom(1));
    expect(Math.abs(right.now() - Date.now())).toBeLessThan(1000);
    const offsets = Array.from({ length: 20 }, (_, seed) => {
      const clock = createDeviceClock(new Set<Fault>(["skew"]), createRandom(seed));
      return clock.now() - Date.now();
    });
    expect(Math.max(...offsets.map(Math.abs))).toBeGreaterThan(60_000);
    expect(Math.max(...offsets.map(Math.abs))).toBeLessThan(601_000);
  });
});
