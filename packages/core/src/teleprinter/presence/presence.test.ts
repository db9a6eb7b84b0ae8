import { bytesLeft } from "test-support/young-garbage";
import { expect, it } from "vitest";
import { defaultLimits } from "../../instance/limits.ts";
import { createLogCollector, createManualClock } from "@telex/conformance/testing";
import { createPresence } from "./presence.ts";
import { type DeviceRecord, newDevice } from "../../records/teleprinter.ts";

const device = (deviceId: string, lastSeen: number): DeviceRecord => ({
  deviceId,
  name: deviceId,
  owner: 1,
  createdAt: 0,
  lastSeen,
  away: false,
  ...newDevice,
});

function open() {
  const clock = createManualClock();
  const announced: string[] = [];
  const presence = createPresence({
    store: { findDevice: (deviceId) => Promise.resolve(device(deviceId, 0)) },
    clock,
    limits: defaultLimits,
    log: createLogCollector(),
    announce: ({ deviceId }) => void announced.push(deviceId),
  });
  return { clock, announced, presence };
}

it("announces each device that was silent for too long, in whatever order they were seen", async () => {
  const { clock, announced, presence } = open();
  const start = clock.now();
  for (const deviceId of ["a", "b", "c"]) presence.note(device(deviceId, start));
  announced.length = 0;
  await clock.advance(defaultLimits.deviceSilence);
  presence.note(device("a", clock.now()));
  await clock.advance(1);
  presence.sweep();
  await clock.advance(0);
  expect(announced).toEqual(["b", "c"]);
});

it("leaves only young garbage of a sign of life", async () => {
  const { clock, presence } = open();
  const left = await bytesLeft(5000, (calls) => {
    for (let call = 0; call < calls; call += 1) presence.note(device(`d${call % 10}`, clock.now()));
  });
  expect(left).toBeLessThan(20);
});
