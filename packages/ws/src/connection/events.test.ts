import type { LiveEvent } from "@telex/core/transport";
import { describe, expect, it } from "vitest";
import { createEventEncoder } from "./events.ts";
import { encodeText } from "./wire.ts";

const gap = (until: number): LiveEvent => ({ kind: "gap", data: { groupId: 1, groupType: 1, since: 0, until } });
const frameOf = (until: number): Buffer =>
  encodeText(`{"type":"Gap","code":200,"data":{"groupId":1,"groupType":1,"since":0,"until":${until}}}`);

describe("events", () => {
  it("that leave together are joined in their order", () => {
    const encoder = createEventEncoder();
    expect(encoder.encode([gap(1), gap(2)])).toEqual([Buffer.concat([frameOf(1), frameOf(2)])]);
  });

  it("are encoded once for all connections that get the same array, or the same event", () => {
    const encoder = createEventEncoder();
    const events = [gap(1), gap(2)];
    expect(encoder.encode(events)).toBe(encoder.encode(events));
    const one = gap(3);
    expect(encoder.encode([one])[0]).toBe(encoder.encode([one])[0]);
  });

  it("are not joined into more than 256 KiB", () => {
    const encoder = createEventEncoder();
    const data = { deviceId: "d".repeat(100_000), ids: [] };
    const events = Array.from({ length: 5 }, (): LiveEvent => ({ kind: "device_delivered", data }));
    expect(encoder.encode(events).map(({ length }) => Math.round(length / 100_000))).toEqual([2, 2, 1]);
  });
});
