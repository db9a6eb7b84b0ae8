import { createManualClock } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { createBudget } from "../link/budget.ts";
import type { Link } from "../link/link.ts";
import { createFlow } from "./flow.ts";
import { createSlots } from "./slots.ts";

/** A connection whose other side answers a ping, as long as it is read. */
function createLink() {
  const seen = { isRead: true, isCut: false };
  let alive = (): void => {};
  const link: Link = {
    send: () => true,
    waiting: () => 0,
    ping() {
      if (seen.isRead) alive();
    },
    close() {},
    terminate: () => void (seen.isCut = true),
    pause: () => void (seen.isRead = false),
    resume: () => void (seen.isRead = true),
  };
  return { link, seen, answer: (heard: () => void) => void (alive = heard) };
}

/** An account without connections, for which 256 messages are on their way to the storage until `store` is called. */
function createFull() {
  const clock = createManualClock();
  const nothing = (): void => {};
  const silence = (): number => 30_000;
  const slots = createSlots(clock, {
    opened: nothing,
    received: nothing,
    lost: nothing,
    left: nothing,
    taken: nothing,
    silence,
  });
  const flow = createFlow(slots, createBudget(1e6));
  const { promise, resolve } = Promise.withResolvers<void>();
  const fill = (): void => {
    for (let count = 0; count < 256; count += 1) flow.hold(1, promise);
  };
  return { clock, slots, flow, fill, promise, store: resolve };
}

it("while the storage is slow, a connection that is therefore not read is not cut, and is read again afterwards", async () => {
  const { clock, slots, fill, store } = createFull();
  const { link, seen, answer } = createLink();
  const hooks = slots.add(link, "universal");
  answer(() => hooks.alive());
  fill();
  expect(seen.isRead).toBe(false);
  for (let half = 0; half < 10; half += 1) await clock.advance(30_000);
  expect([seen.isCut, slots.isEmpty]).toEqual([false, false]);
  store();
  await clock.advance(0);
  expect(seen.isRead).toBe(true);
  for (let half = 0; half < 10; half += 1) await clock.advance(30_000);
  expect(seen.isCut).toBe(false);
  seen.isRead = false;
  for (let half = 0; half < 10; half += 1) await clock.advance(30_000);
  expect(seen.isCut).toBe(true);
});

it("a connection that comes while too much waits is read no more after its first message", async () => {
  const { slots, flow, fill, promise } = createFull();
  fill();
  const { link, seen } = createLink();
  slots.add(link, "universal");
  flow.hold(1, promise);
  expect(seen.isRead).toBe(false);
});
