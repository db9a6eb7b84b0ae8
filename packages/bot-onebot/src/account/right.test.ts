import type { GatewayLeases } from "@telex/core";
import { ticks } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import type { Link, LinkHooks } from "../link/link.ts";
import { createRight } from "./right.ts";

const nothing = (): void => {};

/** The lease of an account that no other server has. */
const leases: GatewayLeases = {
  open: () => ({
    isHeld: false,
    take: () => Promise.resolve(true),
    keep: nothing,
    report: nothing,
    release: () => Promise.resolve(),
  }),
};

const hooks: LinkHooks = { received: nothing, alive: nothing, closed: nothing };

it("a connection that waits for its place after it was let in is not read, so that nothing is dropped", async () => {
  const isAlive = (): Promise<boolean> => Promise.resolve(true);
  const right = createRight("bot-1", () => leases, { lost: nothing, elsewhere: nothing, held: nothing, isAlive });
  let isRead = true;
  const link: Link = {
    send: () => true,
    waiting: () => 0,
    ping: nothing,
    close: nothing,
    terminate: nothing,
    pause: () => void (isRead = false),
    resume: () => void (isRead = true),
  };
  const entered: boolean[] = [];
  right.admit(link, "universal", () => {
    entered.push(isRead);
    link.pause();
    return hooks;
  });
  expect([isRead, entered]).toEqual([false, []]);
  await ticks(1);
  expect([isRead, entered]).toEqual([false, [true]]);
});
