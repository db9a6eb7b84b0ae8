import type { DeviceMessageView } from "@telex/core";
import { expect, test } from "vitest";
import { markDelivered, merge } from "./message.ts";

const message = (id: number, fields: Partial<DeviceMessageView> = {}): DeviceMessageView => ({
  id,
  deviceId: "kitchen",
  direction: "to_device",
  content: `text ${id}`,
  delivered: 0,
  createdAt: "2026-11-20T08:15:30.123+00:00",
  ...fields,
});
const ids = (texts: readonly { readonly id: number }[]): number[] => texts.map(({ id }) => id);

test("messages are in the order of their IDs without duplicates, in whatever order they arrive", () => {
  const texts = merge(merge([], [message(5), message(2), message(5)]), [message(9)]);
  expect(ids(merge(merge(texts, [message(3)]), [message(2), message(1), message(9)]))).toEqual([1, 2, 3, 5, 9]);
});

test("a delivered message stays delivered when an older event arrives", () => {
  const texts = merge([], [message(1, { delivered: 1 }), message(2)]);
  const again = merge(texts, [message(1), message(2, { delivered: 1 })]);
  expect(again.map(({ delivered }) => delivered)).toEqual([1, 1]);
  expect(merge(texts, [message(1)])[0]).toBe(texts[0]);
});

test("only the given messages are marked as delivered, and unknown IDs are ignored", () => {
  const texts = markDelivered(merge([], [message(1), message(2), message(3)]), new Set([2, 7]));
  expect(texts.map(({ delivered }) => delivered)).toEqual([0, 1, 0]);
});

test("a message has its day in the viewer's zone", () => {
  const [one, two] = merge([], [message(1), message(2, { createdAt: "2026-11-20T08:15:31.000+00:00" })]);
  expect(one?.at).toBe(Date.UTC(2026, 10, 20, 8, 15, 30, 123));
  expect(two?.day).toBe(one?.day);
});

test("a text that the device gave up on is failed immediately, and does not wait again after an older event", () => {
  const texts = merge([], [message(1, { state: "waiting", title: "Table" })]);
  const over = merge(texts, [message(1, { state: "failed", title: "Table" })]);
  expect(over[0]?.state).toBe("failed");
  expect(merge(over, [message(1, { state: "waiting", title: "Table" })])[0]).toBe(over[0]);
});
