import type { DeviceMessageView } from "@telex/core";
import { describe, expect, it } from "vitest";
import { compare, emptyRecord, percentile, sumUp } from "./figures.ts";

const since = Date.parse("2026-11-20T08:00:00.000Z");

const stored = (id: number, change: Partial<DeviceMessageView> = {}): DeviceMessageView => ({
  id,
  deviceId: "d",
  direction: "to_device",
  content: "x",
  delivered: 1,
  createdAt: new Date(since + id).toISOString(),
  ...change,
});

describe("figures of a run", () => {
  it("count what is delivered and was never received as lost, and what still waits as fine", () => {
    const record = { ...emptyRecord(), received: [1] };
    expect(compare(record, [stored(1), stored(2), stored(3, { delivered: 0 })], since)).toEqual({
      lost: 1,
      duplicates: 0,
    });
  });

  it("count what was confirmed and is not stored as lost", () => {
    const record = { ...emptyRecord(), confirmed: new Set([5, 6]) };
    expect(compare(record, [stored(5, { direction: "from_device" })], since)).toEqual({ lost: 1, duplicates: 0 });
  });

  it("count what was received twice, and what was stored twice, as duplicates", () => {
    const record = { ...emptyRecord(), received: [1, 1], confirmed: new Set([2]) };
    const found = [stored(1), stored(2, { direction: "from_device" }), stored(3, { direction: "from_device" })];
    expect(compare(record, found, since)).toEqual({ lost: 0, duplicates: 2 });
  });

  it("let a text without an answer be stored or not", () => {
    const record = { ...emptyRecord(), unknown: 1 };
    expect(compare(record, [stored(3, { direction: "from_device" })], since)).toEqual({ lost: 0, duplicates: 0 });
    expect(compare(record, [], since)).toEqual({ lost: 0, duplicates: 0 });
  });

  it("say nothing of what is older than the run", () => {
    const old = new Date(since - 1).toISOString();
    const found = [stored(1, { createdAt: old }), stored(2, { createdAt: old, direction: "from_device" })];
    expect(compare(emptyRecord(), found, since)).toEqual({ lost: 0, duplicates: 0 });
    // An echo of an earlier run counts, however old it is.
    expect(compare({ ...emptyRecord(), confirmed: new Set([2]) }, found, since)).toEqual({ lost: 0, duplicates: 0 });
  });

  it("take the value that a share of all values does not exceed", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([percentile(values, 0.5), percentile(values, 0.99), percentile([7], 0.99), percentile([], 0.5)]).toEqual([
      50,
      99,
      7,
      null,
    ]);
  });

  it("add up all devices", () => {
    const one = { record: { ...emptyRecord(), received: [1, 2], latencies: [10, 20] }, lost: 1, duplicates: 0 };
    const other = { record: { ...emptyRecord(), confirmed: new Set([3]), latencies: [30] }, lost: 0, duplicates: 2 };
    expect(sumUp([one, other])).toEqual({
      devices: 2,
      sent: 1,
      received: 2,
      duplicates: 2,
      lost: 1,
      latencyMs: { p50: 20, p99: 30 },
    });
  });
});
