import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { createLocalBus, operator } from "../src/index.ts";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { createConnection, createKit, type Kit } from "./kit.ts";
import { startKillable } from "./killable.ts";

const deviceId = "printer-1";
const plain = ["content", "createdAt", "delivered", "deviceId", "direction", "id"];

async function started(options: Parameters<typeof createKit>[0] = {}): Promise<Kit> {
  const kit = await createKit(options);
  await kit.telex.teleprinter.register(kit.alice, { deviceId, name: "Printer" });
  return kit;
}

const send = ({ telex, alice }: Kit, content: string, more: object = {}) =>
  telex.teleprinter.send(alice, { deviceId, content, ...more });
const poll = async ({ telex, alice }: Kit, input: object = {}) =>
  (await telex.teleprinter.poll(alice, { deviceId, ...input })).map(({ content }) => content);
const history = async ({ telex, alice }: Kit) =>
  (await telex.teleprinter.messages(alice, { deviceId })).messages.map(({ content, state }) => [content, state]);

/** Lets seconds pass, each with everything that happens in it. */
async function pass(clock: Kit["clock"], seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await ticks(3);
    await clock.advance(1000);
  }
  await ticks(3);
}

describe("a text that expires", () => {
  it("says how many seconds are left, and is not delivered afterwards", async () => {
    const kit = await started();
    const { telex, alice, clock } = kit;
    expect(await send(kit, "stale", { life: 60, title: "Tea", priority: 5 })).toMatchObject({
      title: "Tea",
      priority: 5,
      life: 60,
      state: "waiting",
      delivered: 0,
      expiresAt: "2026-11-20T08:16:30.123+00:00",
    });
    await send(kit, "plain");
    await clock.advance(20_500);
    expect(await telex.teleprinter.poll(alice, { deviceId, ack: 0 })).toMatchObject([{ life: 40 }, {}]);
    await clock.advance(40_000);
    expect(await poll(kit)).toEqual(["plain"]);
    expect(await history(kit)).toEqual([
      ["plain", undefined],
      ["stale", "expired"],
    ]);
  });

  it("counts as delivered if the device acknowledges it late, but not for long", async () => {
    const kit = await started();
    const ids = [await send(kit, "in time", { life: 1 }), await send(kit, "late", { life: 1 })].map(({ id }) => id);
    await poll(kit, { ack: 0 });
    await pass(kit.clock, 10);
    await poll(kit, { acks: String(ids[0]) });
    await pass(kit.clock, 60);
    await poll(kit, { acks: String(ids[1]) });
    expect(await history(kit)).toEqual([
      ["late", "expired"],
      ["in time", "delivered"],
    ]);
  });
});

describe("a text without new properties", () => {
  it("has the fields that it always had, wherever it is seen", async () => {
    const kit = await started();
    const { telex, alice } = kit;
    const sent = await send(kit, "one");
    const waiting = await telex.teleprinter.poll(alice, { deviceId, ack: 0 });
    const polled = await telex.teleprinter.poll(alice, { deviceId });
    const said = await telex.teleprinter.sync(alice, { deviceId, content: "two" });
    const { messages } = await telex.teleprinter.messages(alice, { deviceId });
    for (const message of [sent, ...waiting, ...polled, said, ...messages])
      expect(Object.keys(message).toSorted()).toEqual(plain);
    const device = await telex.teleprinter.heartbeat(alice, { deviceId });
    expect(Object.keys(device).toSorted()).toEqual(["createdAt", "deviceId", "lastSeen", "name", "online"]);
  });
});

describe("a text that is sent later", () => {
  it("gets its id when it is due, and its life begins then", async () => {
    const kit = await started();
    const { telex, alice, clock } = kit;
    const at = clock.now() + 3000;
    const scheduled = await send(kit, "later", { at: new Date(at).toISOString(), life: 5, nonce: "n" });
    expect(scheduled).toMatchObject({
      state: "scheduled",
      dueAt: "2026-11-20T08:15:33.123+00:00",
      delivered: 0,
      life: 5,
    });
    expect(await send(kit, "later", { at, life: 5, nonce: "n" })).toMatchObject({ id: scheduled.id });
    await send(kit, "now");
    expect(await telex.teleprinter.schedules(alice, { deviceId })).toEqual([scheduled]);
    expect(await poll(kit)).toEqual(["now"]);
    await pass(clock, 4);
    expect(await telex.teleprinter.schedules(alice, { deviceId })).toEqual([]);
    expect(await send(kit, "later", { at, life: 5, nonce: "n" })).toMatchObject({ content: "later", state: "waiting" });
    expect(await poll(kit)).toEqual(["later"]);
  });

  it("is taken back, or ends with its device", async () => {
    const kit = await started();
    const { telex, alice, clock } = kit;
    const { id } = await send(kit, "taken back", { at: clock.now() + 1000 });
    await telex.teleprinter.unschedule(alice, { deviceId, id });
    await expect(telex.teleprinter.unschedule(alice, { deviceId, id })).rejects.toMatchObject({ code: "not_found" });
    await send(kit, "of the device before", { at: clock.now() + 1000 });
    await telex.teleprinter.unregister(alice, { deviceId });
    await telex.teleprinter.register(alice, { deviceId, name: "Printer" });
    await pass(clock, 3);
    expect(await poll(kit)).toEqual([]);
  });

  it("is at most 366 days ahead, and there are not too many", async () => {
    const kit = await started({ limits: { deviceSchedules: 2 } });
    const now = kit.clock.now();
    const far = send(kit, "far", { at: now + 366 * 86_400_000 + 1 });
    await expect(far).rejects.toMatchObject({ code: "invalid_request" });
    await expect(send(kit, "when", { at: "tomorrow" })).rejects.toMatchObject({ code: "invalid_request" });
    for (const content of ["one", "two"]) await send(kit, content, { at: now + 366 * 86_400_000 });
    await expect(send(kit, "three", { at: now + 1 })).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(await send(kit, "past", { at: now - 1 })).not.toHaveProperty("dueAt");
  });

  it("is sent once by several servers, in order, also after a kill", async () => {
    const clock = createManualClock();
    const shared = { clock, storage: createMemoryStorage({ clock }), bus: createLocalBus() };
    const [a, b] = [await startKillable(shared), await startKillable(shared)];
    await a.telex.operator.users.add(operator, { nickname: "Ada" });
    const { token } = await a.telex.operator.tokens.issue(operator, { userId: 1, scopes: ["chat"], life: null });
    const caller = await b.telex.authenticate(token);
    await b.telex.teleprinter.register(caller, { deviceId, name: "Printer" });
    const times = [2, 1, 3, 1];
    for (const [index, time] of times.entries())
      await a.telex.teleprinter.send(caller, { deviceId, content: `${time}.${index}`, at: clock.now() + time * 1000 });
    a.kill();
    const c = await startKillable(shared);
    await pass(clock, 5);
    const texts = await c.telex.teleprinter.poll(caller, { deviceId });
    expect(texts.map(({ content }) => content.slice(0, 1))).toEqual(["1", "1", "2", "3"]);
    expect(new Set(texts.map(({ content }) => content)).size).toBe(4);
  });
});

describe("a device that wants urgent texts first", () => {
  it("polls them by priority, and acknowledges single ids", async () => {
    const kit = await started();
    const { id: usual } = await send(kit, "usual");
    const { id: urgent } = await send(kit, "urgent", { priority: 5 });
    const order = "priority";
    await expect(poll(kit, { order, ack: 0 })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(poll(kit, { acks: "1,x" })).rejects.toMatchObject({ code: "invalid_request" });
    expect(await poll(kit, { order, acks: "999" })).toEqual(["urgent", "usual"]);
    expect(await poll(kit, { order, acks: String(urgent) })).toEqual(["usual"]);
    expect(await poll(kit, { order, failed: String(usual) })).toEqual([]);
  });

  it("has two texts on its way over a connection, and gives up what it cannot use", async () => {
    const kit = await started();
    const { telex, alice } = kit;
    for (const [index, priority] of [3, 3, 3].entries()) await send(kit, `usual ${index}`, { priority });
    const { connection, events } = createConnection(alice);
    const feed = await telex.connectDevice(
      {
        ...connection,
        push(batch) {
          connection.write(batch);
          return Promise.resolve(true);
        },
        ping: () => Promise.resolve(true),
      },
      { deviceId, ack: true, order: "priority" },
    );
    const pushed = () => events.flatMap((event) => (event.kind === "device_message" ? [event.data] : []));
    await ticks(5);
    expect(pushed().map(({ content }) => content)).toEqual(["usual 0", "usual 1"]);
    await send(kit, "urgent", { priority: 4 });
    await feed?.acknowledge([pushed()[0]?.id ?? 0]);
    await ticks(5);
    expect(pushed().at(-1)?.content).toBe("urgent");
    await feed?.acknowledge(pushed()[1]?.id ?? 0, true);
    await ticks(5);
    expect(pushed().map(({ content }) => content)).toEqual(["usual 0", "usual 1", "urgent", "usual 2"]);
    expect(await history(kit)).toContainEqual(["usual 1", "failed"]);
  });
});
