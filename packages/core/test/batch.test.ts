import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { intercept } from "@telex/conformance";
import { defaultLimits } from "../src/instance/limits.ts";
import { createBatch } from "../src/teleprinter/batch.ts";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { createConnection, createKit } from "./kit.ts";

const deviceId = "printer";

/** Two connections of one device, and a clock that stands still in a call of the first one. */
async function createHolds() {
  const clock = createManualClock();
  const memory = createMemoryStorage({ clock });
  let during = (): Promise<void> => Promise.resolve();
  const own = intercept(memory, async ({ verb, run }) => {
    const outcome = await run();
    const happens = during;
    during = () => Promise.resolve();
    if (verb === "take") await happens();
    return outcome;
  });
  const storage = { ...memory, ...own };
  const { telex, alice } = await createKit({ clock, storage });
  await telex.teleprinter.register(alice, { deviceId, name: "Printer" });
  const key = { deviceId, owner: 1 };
  const deps = { clock, limits: defaultLimits };
  return {
    clock,
    store: memory.teleprinter,
    send: (content: string) => telex.teleprinter.send(alice, { deviceId, content }),
    first: createBatch({ ...deps, store: storage.teleprinter }, key, "first"),
    second: createBatch({ ...deps, store: memory.teleprinter }, key, "second"),
    duringTake: (happens: () => Promise<void>) => void (during = happens),
  };
}

it("pushes nothing that another server has taken over while this process stood still", async () => {
  const { clock, store, send, first, second, duringTake } = await createHolds();
  const { id } = await send("a");
  duringTake(async () => {
    await clock.advance(defaultLimits.serverSilence);
    await store.requeue({ deviceId, holder: "first" });
    await second.take();
  });
  expect(await first.take()).toEqual({ outcome: "held", holder: "second" });
  expect([await first.deliver([id]), await second.deliver([id])]).toEqual([[], [id]]);
});

it("marks what its device has when it holds the queue again", async () => {
  const { store, send, first, second } = await createHolds();
  const { id } = await send("a");
  await first.take();
  await store.requeue({ deviceId, holder: "first" });
  await second.take();
  expect([await first.deliver([id]), first.owes()]).toEqual([[], true]);
  await second.free();
  expect(await first.take()).toEqual({ outcome: "taken", messages: [] });
  expect([await first.settle(), first.owes(), await store.countQueued()]).toEqual([[id], false, 0]);
});

it("frees the queue of a connection after what its device has acknowledged is stored", async () => {
  const memory = createMemoryStorage();
  const own = intercept(memory, async ({ verb, run }) => {
    if (verb === "deliver") await ticks();
    return run();
  });
  const { telex, alice } = await createKit({ storage: { ...memory, ...own } });
  await telex.teleprinter.register(alice, { deviceId, name: "Printer" });
  const { id } = await telex.teleprinter.send(alice, { deviceId, content: "a" });
  const device = { push: () => Promise.resolve(true), ping: () => Promise.resolve(false) };
  const feed = await telex.connectDevice({ ...createConnection(alice).connection, ...device }, { deviceId, ack: true });
  await ticks();
  await Promise.all([feed?.acknowledge(id), feed?.close()]);
  expect(await telex.teleprinter.poll(alice, { deviceId })).toEqual([]);
});
