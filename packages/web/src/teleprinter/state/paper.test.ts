import type { DeviceView } from "@telex/core";
import { expect, it } from "vitest";
import { paperColumns } from "./paper.ts";

const device = (...can: string[]): DeviceView => ({
  deviceId: "kitchen",
  name: "Kitchen",
  online: true,
  lastSeen: "2026-01-01T00:00:00Z",
  createdAt: "2026-01-01T00:00:00Z",
  can,
});

it("a line has the number of characters that the device reports, or the default", () => {
  expect(paperColumns(device("cut", "columns=32"), 64)).toBe(32);
  expect(paperColumns(device("cut"), 64)).toBe(64);
  expect(paperColumns(device("columns=0", "columns=1000", "columns=x"), 64)).toBe(64);
  expect(paperColumns(undefined, 64)).toBe(64);
});
