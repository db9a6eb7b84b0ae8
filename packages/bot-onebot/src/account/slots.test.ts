import { createManualClock } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import type { Link } from "../link/link.ts";
import { createSlots } from "./slots.ts";

const ignore = (): void => undefined;

const handlers = {
  opened: ignore,
  received: ignore,
  lost: ignore,
  left: ignore,
  taken: ignore,
  silence: () => 30_000,
};

/** A connection whose other side does not answer. */
function createLink() {
  const seen = { isCut: false };
  const link: Link = {
    send: () => true,
    waiting: () => 0,
    ping: ignore,
    close: ignore,
    terminate: () => void (seen.isCut = true),
    pause: ignore,
    resume: ignore,
  };
  return { link, seen };
}

it("a connection that ends while it waits for the place of a dead one gets no place, and the next one does", async () => {
  const clock = createManualClock();
  const slots = createSlots(clock, handlers);
  const [first, second, third] = [createLink(), createLink(), createLink()];
  slots.add(first.link, "universal");
  slots.add(second.link, "universal").closed();
  await clock.advance(5000);
  expect([first.seen.isCut, slots.isEmpty]).toEqual([true, true]);
  slots.add(third.link, "universal");
  expect(slots.api).toBe(third.link);
});
