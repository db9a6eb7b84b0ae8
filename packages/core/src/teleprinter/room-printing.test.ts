import { expect, it } from "vitest";
import { silentLogger } from "../log/log.ts";
import { ticks } from "../testing/index.ts";
import { createRoomPrinting } from "./room-printing.ts";
import type { DeviceRecord } from "./store.ts";

const device: DeviceRecord = {
  deviceId: "printer",
  name: "Printer",
  owner: 1,
  createdAt: 0,
  lastSeen: 0,
  away: false,
  ai: null,
  roomId: 1,
  roomMentions: false,
};

const flood = 1500;

it("drops and counts what a room says faster than it can be printed", async () => {
  const printed: string[] = [];
  const picture = Promise.withResolvers<void>();
  let made = 0;
  const work = { running: 0 };
  const { print } = createRoomPrinting({
    store: { listPrinters: () => Promise.resolve([device]) },
    queue: async (_key, content) => printed.push(content),
    locale: "en",
    log: silentLogger,
    begin() {
      work.running += 1;
      return () => (work.running -= 1);
    },
  });
  const say = (text: string): void =>
    print({
      groupId: 1,
      deviceId: null,
      isMember: () => true,
      mentions: () => Promise.resolve(false),
      async texts() {
        made += 1;
        await picture.promise;
        return [text];
      },
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
