import { expect, it } from "vitest";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { silentLogger } from "@telex/ground/log";
import { createRoomPrinting } from "./room-printing.ts";
import { type DeviceRecord, newDevice } from "../records/teleprinter.ts";

const device: DeviceRecord = {
  deviceId: "printer",
  name: "Printer",
  owner: 1,
  createdAt: 0,
  lastSeen: 0,
  away: false,
  ...newDevice,
  roomId: 1,
};

const flood = 1500;

function start(listPrinters: () => Promise<readonly DeviceRecord[]>) {
  const printed: string[] = [];
  const work = { running: 0, begun: 0 };
  const printing = createRoomPrinting({
    store: { listPrinters },
    queue: async (_key, content) => printed.push(content),
    clock: createManualClock(),
    locale: "en",
    log: silentLogger,
    begin() {
      work.running += 1;
      work.begun += 1;
      return () => (work.running -= 1);
    },
  });
  const say = (texts: () => Promise<readonly string[]>): void =>
    printing.print({
      groupId: 1,
      deviceId: null,
      isMember: () => true,
      mentions: () => Promise.resolve(false),
      title: null,
      texts,
    });
  return { printed, work, say, forget: printing.forget };
}

it("begins nothing for a room that is known to have no printer, until a device prints it", async () => {
  let devices: readonly DeviceRecord[] = [];
  const { printed, work, say, forget } = start(() => Promise.resolve(devices));
  const sayText = async (text: string): Promise<void> => {
    say(() => Promise.resolve([text]));
    while (work.running > 0) await ticks(1);
  };
  await sayText("first");
  await sayText("second");
  expect([work.begun, printed]).toEqual([1, []]);
  devices = [device];
  forget();
  await sayText("third");
  await sayText("fourth");
  expect([work.begun, printed]).toEqual([3, ["third", "fourth"]]);
});

it("looks again for the printers of a room after that has failed", async () => {
  let isThere = false;
  const { printed, work, say } = start(() => (isThere ? Promise.resolve([device]) : Promise.reject(new Error("gone"))));
  for (const text of ["lost", "printed"]) {
    say(() => Promise.resolve([text]));
    while (work.running > 0) await ticks(1);
    isThere = true;
  }
  expect(printed).toEqual(["printed"]);
});

it("drops and counts what a room says faster than it can be printed", async () => {
  const picture = Promise.withResolvers<void>();
  let made = 0;
  const { printed, work, say: sayTexts } = start(() => Promise.resolve([device]));
  const say = (text: string): void =>
    sayTexts(async () => {
      made += 1;
      await picture.promise;
      return [text];
    });
  for (let count = 0; count < flood; count += 1) say(String(count));
  await ticks(60);
  expect([made, work.running]).toEqual([1, 1000]);
  picture.resolve();
  while (work.running > 0) await ticks(1);
  say("last");
  while (work.running > 0) await ticks(1);
  const [note, ...others] = printed.filter((text) => text.startsWith("["));
  expect([note, others]).toEqual(["[Too much was waiting: 500 not printed]", []]);
  expect(printed.filter((text) => !text.startsWith("["))).toEqual([
    ...Array.from({ length: 1000 }, (_, count) => String(count)),
    "last",
  ]);
});
