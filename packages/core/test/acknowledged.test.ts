import { createManualClock, ticks } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { createLocalBus, operator, TelexError } from "../src/index.ts";
import { startKillable } from "./killable.ts";

/** Two servers, of which the second one reads changes only after `reading`. A user is suspended on the first one. */
async function scene() {
  const clock = createManualClock();
  const storage = createMemoryStorage({ clock });
  const state = { reading: Promise.resolve(), done: false };
  const slow = {
    ...storage,
    changes: {
      ...storage.changes,
      since: async (seq: number) => {
        await state.reading;
        return await storage.changes.since(seq);
      },
    },
  };
  const shared = { clock, bus: createLocalBus() };
  const one = await startKillable({ ...shared, storage });
  await startKillable({ ...shared, storage: slow });
  await one.telex.operator.users.add(operator, { nickname: "Ada" });
  for (let looks = 0; looks < 2; looks += 1) await clock.advance(250);
  const suspend = (): void => {
    void one.telex.operator.users.amend(operator, { id: 1, state: "suspended" }).then(() => (state.done = true));
  };
  return { clock, state, suspend };
}

describe("a change on one server is acknowledged", () => {
  it("only when the other server has read it", async () => {
    const { clock, state, suspend } = await scene();
    const timers = clock.waiting().length;
    const { promise, resolve } = Promise.withResolvers<void>();
    state.reading = promise;
    suspend();
    await ticks();
    expect(state.done).toBe(false);
    resolve();
    await ticks();
    expect(state.done).toBe(true);
    expect(clock.waiting()).toHaveLength(timers);
  });

  it("only when the other server could read it: it asks again after one that could not", async () => {
    const { clock, state, suspend } = await scene();
    const failing = Promise.reject(new TelexError("storage_unavailable"));
    failing.catch(() => undefined);
    state.reading = failing;
    suspend();
    await ticks();
    expect(state.done).toBe(false);
    state.reading = Promise.resolve();
    await clock.advance(250);
    expect(state.done).toBe(true);
  });
});
