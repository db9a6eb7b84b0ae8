import { expect, it } from "vitest";
import { createBusLink } from "../bus/link.ts";
import { systemClock } from "../time/clock.ts";
import { type BusEvent, type BusEvents, busTopicOf, createLocalBus } from "./bus-events.ts";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server of a later version publishes such events
const ofLaterVersion = (): BusEvent => ({ kind: "hasOwnProperty", text: "x" }) as unknown as BusEvent;

it("an event of a kind that only a later version knows reaches every member and no handler", async () => {
  expect(busTopicOf(ofLaterVersion())).toBeNull();
  const bus = createLocalBus();
  const link = createBusLink<BusEvents>(bus, { clock: systemClock, isForLeaving: () => false });
  const woken: string[] = [];
  const ignore = (): void => undefined;
  await link.join({
    message: ignore,
    device_text: ignore,
    device_presence: ignore,
    device_wake: ({ deviceId }) => void woken.push(deviceId),
    room_presence: ignore,
    room_presence_state: ignore,
    room_presence_ask: ignore,
    reply_ask: ignore,
    reply_part: ignore,
    account_ask: ignore,
    account_answer: ignore,
    send_wake: ignore,
    send_done: ignore,
    token_ended: ignore,
  });
  await link.follow("device:d").ready;
  const other = await bus.join(ignore);
  other.publish(ofLaterVersion());
  other.publish({ kind: "device_wake", deviceId: "d" });
  await Promise.resolve();
  expect(woken).toEqual(["d"]);
});
