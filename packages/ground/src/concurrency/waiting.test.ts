import { createManualClock, ticks } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { createWaiting } from "./waiting.ts";

/** A call that waits a second for a printer, and what it has heard. */
function scene() {
  const clock = createManualClock();
  const waiting = createWaiting(clock);
  const caller = new AbortController();
  const waiter = waiting.wait("printer", clock.now() + 1000, caller.signal);
  const heard: boolean[] = [];
  void waiter.woken.then((isEnded) => heard.push(isEnded));
  return { clock, waiting, caller, waiter, heard };
}

type Scene = ReturnType<typeof scene>;

describe("a call that waits for a key", () => {
  it.each<readonly [string, (here: Scene) => unknown]>([
    ["the key is woken", ({ waiting }) => waiting.wake("printer")],
    ["its time has come", ({ clock }) => clock.advance(1)],
    ["its caller leaves", ({ caller }) => caller.abort()],
    ["it is called off", ({ waiter }) => waiter.cancel()],
    ["all waiting ends", ({ waiting }) => waiting.close()],
  ])("goes on when %s, and leaves nothing behind", async (_, act) => {
    const here = scene();
    const { clock, waiting, heard } = here;
    waiting.wake("other");
    waiting.end("other");
    await clock.advance(999);
    expect([heard, waiting.size]).toEqual([[], 1]);
    await act(here);
    await ticks();
    expect([heard, waiting.size, clock.waiting()]).toEqual([[false], 0, []]);
  });

  it("is resumed when its key has ended", async () => {
    const { waiting, heard } = scene();
    waiting.end("printer");
    await ticks();
    expect([heard, waiting.size]).toEqual([[true], 0]);
  });

  it.each<readonly [string, (here: Scene) => unknown]>([
    ["its time is over", ({ clock }) => clock.advance(1000)],
    ["its caller has left", ({ caller }) => caller.abort()],
    ["all waiting has ended", ({ waiting }) => waiting.close()],
  ])("hears that waiting makes no sense if %s", async (_, act) => {
    const here = scene();
    const { clock, waiting, caller } = here;
    const end = clock.now() + 1000;
    await act(here);
    const late = waiting.wait("printer", end, caller.signal);
    expect([await late.woken, waiting.size]).toEqual([true, 0]);
  });
});
