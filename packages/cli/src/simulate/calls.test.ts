import { createRandom } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import type { Send } from "../client/requests.ts";
import { callsTo } from "../client/with-client.ts";
import { createDeviceCalls } from "./calls.ts";
import { type DeviceClock, withFaults } from "./faults.ts";

/** A clock that advances when its user sleeps. */
function createClock(): DeviceClock {
  let now = 0;
  return {
    now: () => now,
    sleep(length) {
      now += length;
      return Promise.resolve();
    },
  };
}

const device = { deviceId: "kitchen", name: "Kitchen" };

const answer: Send = () => Promise.resolve(Response.json({ code: 200, msg: "success", data: device }));

function callsOver(network: Send) {
  const clock = createClock();
  const calls = callsTo({ url: "http://telex.test", token: "t" }, network);
  const call = createDeviceCalls(calls, clock, createRandom(1));
  return { clock, find: () => call(({ heartbeat }) => heartbeat({ deviceId: "kitchen" })) };
}

/** Loses the first requests, as the fault `drop` does. */
function losing(first: number, network: Send): Send {
  let left = first;
  const lost = withFaults(network, new Set(["drop"]), { ...createRandom(1), chance: () => true });
  return async (request) => {
    left -= 1;
    return await (left < 0 ? network(request) : lost(request));
  };
}

describe("a call of a simulated device", () => {
  it("is repeated for as long as the simulation loses it", async () => {
    const { clock, find } = callsOver(losing(50, answer));
    expect(await find()).toEqual(device);
    expect(clock.now()).toBeGreaterThan(60_000);
  });

  it("fails if the server does not respond for half a minute, whatever the simulation loses", async () => {
    const isLost = createRandom(2);
    const unreachable: Send = () => Promise.reject(new TypeError("fetch failed"));
    const lost = losing(Number.POSITIVE_INFINITY, answer);
    const { clock, find } = callsOver(async (request) => await (isLost.chance(0.5) ? lost : unreachable)(request));
    await expect(find()).rejects.toMatchObject({ error: "unreachable" });
    expect(clock.now()).toBeGreaterThan(30_000);
  });

  it("is not repeated after a refusal that would come again", async () => {
    const refusal = { code: 404, msg: "There is no such device.", data: { error: "device_not_found" } };
    const { clock, find } = callsOver(() => Promise.resolve(Response.json(refusal, { status: 404 })));
    await expect(find()).rejects.toMatchObject({ error: "device_not_found" });
    expect(clock.now()).toBe(0);
  });

  it("waits for as long as the server asks", async () => {
    const busy = { code: 429, msg: "Too many requests.", data: { error: "rate_limited" } };
    let calls = 0;
    const { clock, find } = callsOver(async (request) => {
      calls += 1;
      if (calls > 1) return await answer(request);
      return Response.json(busy, { status: 429, headers: { "retry-after": "7" } });
    });
    expect(await find()).toEqual(device);
    expect(clock.now()).toBe(7000);
  });
});
