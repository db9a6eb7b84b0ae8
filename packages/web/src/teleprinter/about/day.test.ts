import type { DeviceMessageView } from "@telex/core";
import { expect, test } from "vitest";
import type { Server } from "../../server/server.ts";
import { countDay, readDay } from "./day.ts";

const now = Date.parse("2026-11-23T17:52:00Z");
const hour = 3_600_000;

const text = (id: number, age: number, fields: Partial<DeviceMessageView> = {}): DeviceMessageView => ({
  id,
  deviceId: "kitchen",
  direction: "to_device",
  content: "text",
  delivered: 1,
  createdAt: new Date(now - age).toISOString(),
  ...fields,
});

test("texts are counted by hour and direction, without older ones", () => {
  const { hours } = countDay(
    [text(4, 0), text(3, 0.5 * hour, { direction: "from_device" }), text(2, 23.5 * hour), text(1, 25 * hour)],
    now,
  );
  expect(hours).toHaveLength(24);
  expect(hours.at(-1)).toEqual({ to: 1, from: 1 });
  expect(hours[0]).toEqual({ to: 1, from: 0 });
  expect(hours.reduce((sum, { to }) => sum + to, 0)).toBe(2);
});

test("a text waits unless it was delivered, expired or failed", () => {
  const states = [{}, { state: "waiting" }, { state: "expired" }, { state: "failed" }] as const;
  const messages = states.map((fields, index) => text(index + 1, 0, { delivered: 0, ...fields }));
  expect(countDay([...messages, text(9, 0)], now).waiting).toBe(2);
});

test("at most 500 texts are read, and then the counts are lower bounds", async () => {
  const sizes: number[] = [];
  const page: Server["teleprinter"]["messages"] = ({ cursor = 10_001, pageSize = 20 }) => {
    sizes.push(pageSize);
    const messages = Array.from({ length: pageSize }, (_, index) => text(Number(cursor) - 1 - index, hour));
    return Promise.resolve({ messages, nextPageCursor: String(Number(cursor) - pageSize) });
  };
  const day = await readDay(page, { deviceId: "kitchen", now });
  expect(sizes).toEqual([100, 100, 100, 100, 100]);
  expect(day.isComplete).toBe(false);
  expect(day.hours.at(-2)).toEqual({ to: 500, from: 0 });
});
