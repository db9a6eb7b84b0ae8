import { expect, it } from "vitest";
import { z } from "zod";
import { systemClock } from "@telex/ground/time";
import { createBusLink } from "@telex/ground/bus";
import { type BusEvent, type BusEvents, busTopicOf, createLocalBus } from "./bus-events.ts";

/** An event that only servers of a later version know, read as buses read events from the network: without a check. */
const later = z.custom<BusEvent>().parse(JSON.parse('{"kind":"hasOwnProperty","text":"x"}'));

const ignore = (): void => undefined;

const handlers = {
  message: ignore,
  device_text: ignore,
  device_presence: ignore,
  device_wake: ignore,
  room_presence: ignore,
  room_presence_state: ignore,
  room_presence_ask: ignore,
  changes_ask: ignore,
  changes_seen: ignore,
  room_told: ignore,
  reply_ask: ignore,
  reply_part: ignore,
  account_ask: ignore,
  account_answer: ignore,
  send_wake: ignore,
  send_done: ignore,
  rates_used: ignore,
  drain: ignore,
  drain_begun: ignore,
  token_ended: ignore,
};

it("an event of a kind that only a later version knows reaches every member and no handler", async () => {
  expect(busTopicOf(later)).toBeNull();
  const bus = createLocalBus();
  const link = createBusLink<BusEvents>(bus, { clock: systemClock, isForLeaving: () => false });
  const woken: string[] = [];
  await link.join({ ...handlers, device_wake: ({ deviceId }) => void woken.push(deviceId) });
  await link.follow("device:d").ready;
  const other = await bus.join(ignore);
  other.publish(later);
  other.publish({ kind: "device_wake", deviceId: "d" });
  await Promise.resolve();
  expect(woken).toEqual(["d"]);
});

it("a leaving server receives only the events that it still handles", async () => {
  const bus = createLocalBus();
  const isForLeaving = ({ kind }: BusEvent): boolean => kind === "send_done";
  const link = createBusLink<BusEvents>(bus, { clock: systemClock, isForLeaving });
  const received: string[] = [];
  const note = ({ kind }: BusEvent): void => void received.push(kind);
  await link.join({ ...handlers, device_wake: note, send_done: note });
  for (const topic of ["device:d", "server:s"]) await link.follow(topic).ready;
  const other = await bus.join(ignore);
  const publishBoth = async (): Promise<void> => {
    other.publish({ kind: "device_wake", deviceId: "d" });
    other.publish({ kind: "send_done", server: "s", id: "1" });
    await Promise.resolve();
  };
  await publishBoth();
  link.stopReceiving();
  await publishBoth();
  expect(received).toEqual(["device_wake", "send_done", "send_done"]);
});
