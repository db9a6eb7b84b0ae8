import { expect, it } from "vitest";
import { isNewText } from "./nonce-reuse.ts";
import type { DeviceAppend } from "./store.ts";

const append = (nonceReuse: DeviceAppend["nonceReuse"], content = "hello"): DeviceAppend => ({
  deviceId: "hall",
  owner: 1,
  direction: "to_device",
  content,
  now: 0,
  nonce: "n",
  nonceReuse,
  nonceLife: 1,
  queueLimit: 1,
});

const named = { content: "hello" };

it("takes no text for a new one where a nonce names one text only", () => {
  expect([append(undefined), append(undefined, "other")].map((one) => isNewText(one, named))).toEqual([false, false]);
});

it("takes each text for a new one where each use of a nonce is one", () => {
  expect([append("new"), append("new", "other")].map((one) => isNewText(one, named))).toEqual([true, true]);
});

it("takes a text for a new one where it differs from the last one with its nonce", () => {
  expect([append("same"), append("same", "other")].map((one) => isNewText(one, named))).toEqual([false, true]);
  expect(isNewText(append("same"), null)).toBe(true);
});
