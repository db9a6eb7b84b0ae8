import { expect, it } from "vitest";
import { z } from "zod";
import { createBusLink } from "../bus/link.ts";
import { systemClock } from "../time/clock.ts";
import { type BusEvent, type BusEvents, busTopicOf, createLocalBus } from "./bus-events.ts";

/** An event that only servers of a later version know, read as buses read events from the network: without a check. */
const later = z.custom<BusEvent>().parse(JSON.parse('{"kind":"hasOwnProperty","text":"x"}'));

it("an event of a kind that only a later version knows reaches every member and no handler", async () => {
  expect(busTopicOf(later)).toBeNull();
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
  other.publish(later);
  other.publish({ kind: "device_wake", deviceId: "d" });
  await Promise.resolve();
  expect(woken).toEqual(["d"]);
});
