import { createManualClock } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { deviceText, printer } from "./messages.ts";
import { openStorage, temporaryFile } from "./support.ts";

it("a sign of life never undoes a departure that came after it", async () => {
  const clock = createManualClock(1000);
  const file = temporaryFile();
  const storage = await openStorage({ file, clock });
  await storage.teleprinter.claimDevice({ ...printer, name: "Printer", now: 1000 });
  await storage.teleprinter.touchDevice({ ...printer, now: 2000 });
  await storage.teleprinter.leaveDevice(printer);
  await clock.advance(1000);
  await storage.probe();
  expect(await storage.teleprinter.findDevice("printer")).toMatchObject({ lastSeen: 2000, away: true });
});

it("signs of life of texts are in the order of departures that share their transaction", async () => {
  const clock = createManualClock(1000);
  const file = temporaryFile();
  const storage = await openStorage({ file, clock });
  const { teleprinter } = storage;
  await teleprinter.claimDevice({ ...printer, name: "Printer", now: 1000 });
  const said = { ...deviceText("said"), direction: "from_device" } as const;
  await Promise.all([teleprinter.append({ ...said, now: 2000 }), teleprinter.leaveDevice(printer)]);
  await Promise.all([clock.advance(1000), storage.probe()]);
  const other = await openStorage({ file });
  expect(await other.teleprinter.findDevice("printer")).toMatchObject({ lastSeen: 2000, away: true });
  await Promise.all([teleprinter.leaveDevice(printer), teleprinter.append({ ...said, now: 3000 })]);
  await Promise.all([clock.advance(1000), storage.probe()]);
  expect(await other.teleprinter.findDevice("printer")).toMatchObject({ lastSeen: 3000, away: false });
});

it("a sign of life never undoes a departure that shares its transaction", async () => {
  const clock = createManualClock(1000);
  const file = temporaryFile();
  const storage = await openStorage({ file, clock });
  await storage.teleprinter.claimDevice({ ...printer, name: "Printer", now: 1000 });
  await storage.teleprinter.touchDevice({ ...printer, now: 2000 });
  const left = storage.teleprinter.leaveDevice(printer);
  await Promise.all([clock.advance(1000), left]);
  await storage.probe();
  const other = await openStorage({ file });
  expect(await other.teleprinter.findDevice("printer")).toMatchObject({ lastSeen: 2000, away: true });
});

it("a sign of life never undoes a departure of the preceding transaction", async () => {
  const clock = createManualClock(1000);
  const file = temporaryFile();
  const storage = await openStorage({ file, clock });
  const { teleprinter } = storage;
  await teleprinter.claimDevice({ ...printer, name: "Printer", now: 1000 });
  await teleprinter.touchDevice({ ...printer, now: 2000 });
  // So many texts need several transactions.
  const left = [
    teleprinter.leaveDevice(printer),
    ...Array.from({ length: 2000 }, () => teleprinter.append(deviceText("text"))),
  ];
  await Promise.all([clock.advance(1000), ...left]);
  await storage.probe();
  const other = await openStorage({ file });
  expect(await other.teleprinter.findDevice("printer")).toMatchObject({ lastSeen: 2000, away: true });
});
