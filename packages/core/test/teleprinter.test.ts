import { describe, expect, it } from "vitest";
import { createMemoryStorage } from "@telex/storage-memory";
import { createLocalBus, operator, type Storage, TelexError } from "../src/index.ts";
import type { DeviceConnection } from "../src/instance/live-events.ts";
import { createConnection, createKit, type Kit } from "./kit.ts";
import { intercept } from "@telex/conformance";
import { createManualClock, ticks } from "@telex/conformance/testing";
import type { CallContext } from "@telex/ground/contract";

const deviceId = "printer-1";

async function started(options: Parameters<typeof createKit>[0] = {}): Promise<Kit> {
  const kit = await createKit(options);
  await kit.telex.teleprinter.register(kit.alice, { deviceId, name: "Printer" });
  return kit;
}

const send = (kit: Kit, content: string, nonce?: string) =>
  kit.telex.teleprinter.send(kit.alice, { deviceId, content, ...(nonce === undefined ? {} : { nonce }) });
const poll = (kit: Kit, input: object = {}, context: CallContext = {}) =>
  kit.telex.teleprinter.poll(kit.alice, { deviceId, ...input }, context);
const texts = (messages: readonly { content: string }[]) => messages.map(({ content }) => content);

/** A device connection whose socket a test drives. */
function createDevice(kit: Kit, caller = kit.alice) {
  const end = createConnection(caller);
  const state = { answers: true, written: true };
  const connection: DeviceConnection = {
    ...end.connection,
    push(events) {
      end.connection.write(events);
      return Promise.resolve(state.written);
    },
    ping: () => Promise.resolve(state.answers),
  };
  return {
    ...end,
    connection,
    state,
    contents: () => end.events.flatMap(({ kind, data }) => (kind === "device_message" ? [data.content] : [])),
  };
}

describe("a device", () => {
  it("belongs to who registers it first, and is renamed by its owner only", async () => {
    const kit = await started();
    const { telex, alice, bob } = kit;
    await expect(telex.teleprinter.register(bob, { deviceId, name: "Mine" })).rejects.toMatchObject({
      code: "device_taken",
    });
    await kit.clock.advance(1000);
    const renamed = await telex.teleprinter.register(alice, { deviceId, name: "Neu" });
    expect(renamed).toEqual({
      deviceId,
      name: "Neu",
      online: true,
      lastSeen: "2026-11-20T08:15:31.123+00:00",
      createdAt: "2026-11-20T08:15:30.123+00:00",
    });
  });

  it("is refused to everybody else by every operation", async () => {
    const { telex, bob } = await started();
    const calls = [
      telex.teleprinter.heartbeat(bob, { deviceId }),
      telex.teleprinter.offline(bob, { deviceId }),
      telex.teleprinter.poll(bob, { deviceId }),
      telex.teleprinter.sync(bob, { deviceId, content: "x" }),
      telex.teleprinter.send(bob, { deviceId, content: "x" }),
      telex.teleprinter.messages(bob, { deviceId }),
      telex.teleprinter.unregister(bob, { deviceId }),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "not_owner" });
    await expect(telex.teleprinter.heartbeat(bob, { deviceId: "none" })).rejects.toMatchObject({
      code: "device_not_found",
    });
  });

  it("is online for 90 seconds after its last sign of life, and not a millisecond longer", async () => {
    const { telex, alice, clock } = await started();
    const online = async () => (await telex.teleprinter.devices(alice, {}))[0]?.online;
    await clock.advance(90_000);
    expect(await online()).toBe(true);
    await clock.advance(1);
    expect(await online()).toBe(false);
    await telex.teleprinter.heartbeat(alice, { deviceId });
    expect(await online()).toBe(true);
    expect((await telex.teleprinter.offline(alice, { deviceId })).online).toBe(false);
    expect(await online()).toBe(false);
    await telex.teleprinter.poll(alice, { deviceId });
    expect(await online()).toBe(true);
  });

  it("is not seen when its owner sends to it", async () => {
    const kit = await started();
    await kit.clock.advance(5000);
    await send(kit, "hi");
    expect((await kit.telex.teleprinter.devices(kit.alice, {}))[0]?.lastSeen).toBe("2026-11-20T08:15:30.123+00:00");
    await kit.telex.teleprinter.sync(kit.alice, { deviceId, content: "x" });
    expect((await kit.telex.teleprinter.devices(kit.alice, {}))[0]?.lastSeen).toBe("2026-11-20T08:15:35.123+00:00");
  });

  it("answers only a token of its own or one with chat", async () => {
    const { telex, alice } = await started();
    const { token } = await telex.operator.tokens.issue(
      { kind: "operator" },
      { userId: 1, scopes: [`device:${deviceId}`] },
    );
    const caller = await telex.authenticate(token);
    await expect(telex.teleprinter.heartbeat(caller, { deviceId })).resolves.toMatchObject({ online: true });
    for (const call of [
      telex.teleprinter.heartbeat(caller, { deviceId: "other" }),
      telex.teleprinter.devices(caller, {}),
      telex.teleprinter.unregister(caller, { deviceId }),
      telex.messages.history(caller, { groupId: 1, groupType: 1 }),
      telex.ai.quota(caller, {}),
    ]) {
      await expect(call).rejects.toMatchObject({ code: "insufficient_scope" });
    }
    expect(alice.kind).toBe("token");
  });

  it("is freed with its messages", async () => {
    const kit = await started();
    await send(kit, "old");
    await kit.telex.teleprinter.unregister(kit.alice, { deviceId });
    await kit.telex.teleprinter.register(kit.bob, { deviceId, name: "Bob's" });
    expect(await kit.telex.teleprinter.poll(kit.bob, { deviceId })).toEqual([]);
  });
});

describe("a poll", () => {
  it("takes the oldest messages first and each once", async () => {
    const kit = await started();
    for (const content of ["a", "b", "c"]) await send(kit, content);
    const first = await poll(kit, { limit: 2 });
    expect(first).toMatchObject([
      { content: "a", delivered: 1, direction: "to_device" },
      { content: "b", delivered: 1 },
    ]);
    expect(texts(await poll(kit))).toEqual(["c"]);
    expect(await poll(kit)).toEqual([]);
  });

  it("asks its transport for a signal only if it waits: making one takes listeners", async () => {
    const kit = await started();
    let asked = 0;
    const context: CallContext = {
      get signal() {
        asked += 1;
        return AbortSignal.abort();
      },
    };
    await poll(kit, {}, context);
    expect(asked).toBe(0);
    await poll(kit, { wait: 60 }, context);
    expect(asked).toBe(1);
  });

  it("gives messages to one of many simultaneous polls, and to the next one when they are marked", async () => {
    const kit = await started();
    for (let index = 0; index < 40; index += 1) await send(kit, `m${index}`);
    const received: string[] = [];
    for (let round = 1; round <= 8; round += 1) {
      const polls = await Promise.all(Array.from({ length: 20 }, () => poll(kit, { limit: 5 })));
      received.push(...polls.flatMap(texts));
      expect(polls.filter(({ length }) => length > 0)).toHaveLength(1);
    }
    expect(received).toEqual(Array.from({ length: 40 }, (_, index) => `m${index}`));
  });

  it("that waits behind another one gets what came when that is marked", async () => {
    const kit = await started();
    await send(kit, "a");
    const listeners: ((written: boolean) => void)[] = [];
    await poll(kit, {}, { onWritten: (listener) => void listeners.push(listener) });
    const waiting = [poll(kit, { wait: 60 }), poll(kit, { wait: 60, ack: 0 })];
    await send(kit, "b");
    await ticks();
    for (const listener of listeners) listener(true);
    expect(texts(await Promise.race(waiting))).toEqual(["b"]);
    await kit.telex.close();
  });

  it("queues messages again in their old order when its answer could not be written", async () => {
    const kit = await started();
    for (const content of ["a", "b"]) await send(kit, content);
    const listeners: ((written: boolean) => void)[] = [];
    const context = { onWritten: (listener: (written: boolean) => void) => void listeners.push(listener) };
    expect(texts(await poll(kit, {}, context))).toEqual(["a", "b"]);
    expect(await poll(kit)).toEqual([]);
    await send(kit, "c");
    for (const listener of listeners) listener(false);
    await ticks();
    expect(texts(await poll(kit))).toEqual(["a", "b", "c"]);
  });

  it("frees what it held when its answer is never heard of again", async () => {
    const kit = await started();
    await send(kit, "a");
    await poll(kit, {}, { onWritten: () => {} });
    await kit.clock.advance(kit.telex.limits.pollLease + 1);
    expect(texts(await poll(kit))).toEqual(["a"]);
  });

  it("waits for a message and answers immediately when it comes", async () => {
    const kit = await started();
    const waiting = poll(kit, { wait: 60 });
    await ticks();
    await send(kit, "now");
    expect(texts(await waiting)).toEqual(["now"]);
  });

  it("answers empty when nothing comes in time, when nobody waits any more, and when Telex closes", async () => {
    const kit = await started();
    const timed = poll(kit, { wait: 5 });
    await ticks();
    await kit.clock.advance(5000);
    expect(await timed).toEqual([]);
    const controller = new AbortController();
    const left = poll(kit, { wait: 60 }, { signal: controller.signal });
    await ticks();
    controller.abort();
    expect(await left).toEqual([]);
    const closed = poll(kit, { wait: 60 });
    await ticks();
    const closing = kit.telex.close();
    expect(await closed).toEqual([]);
    await closing;
  });

  it("shows messages again until they are acknowledged", async () => {
    const kit = await started();
    for (const content of ["a", "b", "c"]) await send(kit, content);
    const first = await poll(kit, { ack: 0, limit: 2 });
    expect(first).toMatchObject([
      { content: "a", delivered: 0 },
      { content: "b", delivered: 0 },
    ]);
    expect(await poll(kit, { ack: 0, limit: 2 })).toEqual(first);
    const last = first[1]?.id ?? 0;
    expect(texts(await poll(kit, { ack: String(last) }))).toEqual(["c"]);
    await expect(poll(kit, { ack: last + 100 })).rejects.toMatchObject({
      code: "invalid_request",
      reason: "ack_above_newest",
    });
    const { messages } = await kit.telex.teleprinter.messages(kit.alice, { deviceId });
    expect(messages.map(({ content, delivered }) => [content, delivered])).toEqual([
      ["c", 0],
      ["b", 1],
      ["a", 1],
    ]);
  });

  it("waits with ack too", async () => {
    const kit = await started();
    const waiting = poll(kit, { ack: 0, wait: 60 });
    await ticks();
    await send(kit, "now");
    expect(texts(await waiting)).toEqual(["now"]);
  });
});

describe("sending to a device", () => {
  it("stores a nonce once and refuses it with another content", async () => {
    const kit = await started();
    const [first, second] = await Promise.all([send(kit, "a", "n"), send(kit, "a", "n")]);
    expect(second).toEqual(first);
    await expect(send(kit, "b", "n")).rejects.toMatchObject({ code: "nonce_conflict" });
    expect(await poll(kit)).toHaveLength(1);
  });

  it("refuses what does not fit the queue, and drops nothing", async () => {
    const kit = await started({ limits: { deviceQueue: 3 } });
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => send(kit, `m${index}`)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    await expect(send(kit, "x")).rejects.toMatchObject({ code: "queue_full" });
    expect(texts(await poll(kit))).toEqual(["m0", "m1", "m2"]);
    await expect(send(kit, "x")).resolves.toMatchObject({ delivered: 0 });
  });

  it("pages through both directions, newest first", async () => {
    const kit = await started();
    for (let index = 0; index < 5; index += 1) {
      await send(kit, `to ${index}`);
      await kit.telex.teleprinter.sync(kit.alice, { deviceId, content: `from ${index}` });
    }
    const page = await kit.telex.teleprinter.messages(kit.alice, { deviceId, pageSize: 6 });
    expect(page.messages[0]).toMatchObject({ content: "from 4", direction: "from_device", delivered: 1 });
    const rest = await kit.telex.teleprinter.messages(kit.alice, {
      deviceId,
      cursor: page.nextPageCursor ?? "",
      pageSize: 6,
    });
    expect(rest.nextPageCursor).toBeNull();
    expect([...page.messages, ...rest.messages]).toHaveLength(10);
  });
});

describe("a device connection", () => {
  const connect = (kit: Kit, device: ReturnType<typeof createDevice>, ack = false) =>
    kit.telex.connectDevice(device.connection, { deviceId, ack });

  it("gets the queue first, then what is sent, which counts as delivered once the socket has it", async () => {
    const kit = await started();
    await send(kit, "queued");
    const device = createDevice(kit);
    await connect(kit, device);
    expect(await send(kit, "pushed")).toMatchObject({ delivered: 1 });
    expect(device.contents()).toEqual(["queued", "pushed"]);
    expect(await poll(kit)).toEqual([]);
  });

  it("with ack keeps what is not acknowledged, and queues it again when it closes", async () => {
    const kit = await started();
    const device = createDevice(kit);
    const feed = await connect(kit, device, true);
    const [a] = [await send(kit, "a"), await send(kit, "b"), await send(kit, "c")];
    await ticks();
    expect(a.delivered).toBe(0);
    expect(device.contents()).toEqual(["a", "b", "c"]);
    expect(await poll(kit)).toEqual([]);
    await feed?.acknowledge(a.id);
    await feed?.acknowledge(a.id + 1000);
    await feed?.close();
    expect(texts(await poll(kit))).toEqual(["b", "c"]);
  });

  it("does not push more than the window simultaneously", async () => {
    const kit = await started({ limits: { deviceWindow: 2 } });
    for (const content of ["a", "b", "c"]) await send(kit, content);
    const device = createDevice(kit);
    const feed = await connect(kit, device, true);
    await ticks();
    expect(device.contents()).toEqual(["a", "b"]);
    const [first] = device.events;
    await feed?.acknowledge(first?.kind === "device_message" ? first.data.id : 0);
    await ticks();
    expect(device.contents()).toEqual(["a", "b", "c"]);
  });

  it("queues again what the socket did not take", async () => {
    const kit = await started();
    const device = createDevice(kit);
    device.state.written = false;
    const feed = await connect(kit, device);
    const sent = send(kit, "lost?");
    await ticks();
    await feed?.close();
    expect(await sent).toMatchObject({ delivered: 0 });
    expect(texts(await poll(kit))).toEqual(["lost?"]);
  });

  it.each([
    { name: "", before: [] },
    { name: ", also if it has not acknowledged all that it has", before: ["before", "also before"] },
  ])("stays open while the storage is away, and gets what came meanwhile$name", async ({ before }) => {
    const clock = createManualClock();
    const memory = createMemoryStorage({ clock });
    let isAway = false;
    const own = intercept(memory, async ({ verb, run }) => {
      const outcome = await run();
      // It was done, and its answer is lost.
      if (isAway && verb === "take") throw new TelexError("storage_unavailable");
      return outcome;
    });
    const kit = await started({ clock, storage: { ...memory, ...own } });
    const device = createDevice(kit);
    const feed = await kit.telex.connectDevice(device.connection, { deviceId, ack: true });
    for (const text of before) await send(kit, text);
    await ticks();
    isAway = true;
    await send(kit, "during");
    await clock.advance(60_000);
    expect(device.contents()).toEqual(before);
    isAway = false;
    for (const event of device.events) if (event.kind === "device_message") await feed?.acknowledge(event.data.id);
    await clock.advance(5000);
    expect([device.contents(), device.closed]).toEqual([[...before, "during"], []]);
  });

  it("gets what came meanwhile also if it acknowledges while the storage is away", async () => {
    const clock = createManualClock();
    const memory = createMemoryStorage({ clock });
    let isAway = false;
    const own = intercept(memory, ({ verb, run }) => {
      if (isAway && (verb === "take" || verb === "deliver")) throw new TelexError("storage_unavailable");
      return run();
    });
    const kit = await started({ clock, storage: { ...memory, ...own } });
    const device = createDevice(kit);
    const feed = await kit.telex.connectDevice(device.connection, { deviceId, ack: true });
    const before = await send(kit, "before");
    await ticks();
    isAway = true;
    await send(kit, "during");
    await expect(feed?.acknowledge(before.id)).rejects.toMatchObject({ code: "storage_unavailable" });
    await clock.advance(10_000);
    isAway = false;
    await clock.advance(5000);
    expect([device.contents(), device.closed]).toEqual([["before", "during"], []]);
    await feed?.close();
    expect(texts(await poll(kit))).toEqual(["during"]);
  });

  it.each([
    { when: "before it fails", isLate: false },
    { when: "long after it has failed", isLate: true },
  ])("gets what a take held that was done $when, although it acknowledges nothing", async ({ isLate }) => {
    const clock = createManualClock();
    const memory = createMemoryStorage({ clock });
    const takes: (() => Promise<unknown>)[] = [];
    let fails = false;
    const own = intercept(memory, async ({ verb, run }) => {
      if (verb !== "take") return run();
      if (fails) takes.push(run);
      if (!fails || !isLate) for (const late of takes.splice(0)) await late();
      if (!fails) return run();
      fails = false;
      throw new TelexError("storage_unavailable");
    });
    const kit = await started({ clock, storage: { ...memory, ...own }, bus: createLocalBus() });
    const device = createDevice(kit);
    await kit.telex.connectDevice(device.connection, { deviceId, ack: true });
    await send(kit, "before");
    await ticks();
    fails = true;
    await send(kit, "during");
    // At the latest when the lease of what was taken has ended.
    for (let second = 0; second < 40; second += 5) await clock.advance(5000);
    expect([device.contents(), device.closed]).toEqual([["before", "during"], []]);
  });

  it("gets nothing twice, and what comes then, if its lease ended while the storage was away", async () => {
    const clock = createManualClock();
    const memory = createMemoryStorage({ clock });
    let isAway = false;
    const own = intercept(memory, ({ verb, run }) => {
      if (isAway && verb === "renew") throw new TelexError("storage_unavailable");
      return run();
    });
    const kit = await started({ clock, storage: { ...memory, ...own } });
    const device = createDevice(kit);
    await kit.telex.connectDevice(device.connection, { deviceId, ack: true });
    // As many as are taken together.
    const before = Array.from({ length: 100 }, (_, index) => `before ${index}`);
    for (const content of before) await send(kit, content);
    await ticks();
    isAway = true;
    await clock.advance(60_000);
    isAway = false;
    await send(kit, "after");
    await ticks();
    expect([device.contents(), device.closed]).toEqual([[...before, "after"], []]);
  });

  it("gets what the one before could not put back when its lease has ended, and no other text comes", async () => {
    const clock = createManualClock();
    const memory = createMemoryStorage({ clock });
    const asked: string[] = [];
    let fails = false;
    const own = intercept(memory, async ({ verb, run }) => {
      asked.push(verb);
      if (fails && verb === "requeue") throw new TelexError("storage_unavailable");
      return run();
    });
    const kit = await started({ clock, storage: { ...memory, ...own } });
    const [old, next] = [createDevice(kit), createDevice(kit)];
    const feed = await connect(kit, old, true);
    await send(kit, "a");
    await ticks();
    fails = true;
    await expect(feed?.close()).rejects.toMatchObject({ code: "storage_unavailable" });
    await connect(kit, next, true);
    for (let second = 0; second < 80; second += 5) await clock.advance(5000);
    expect([next.contents(), next.closed]).toEqual([["a"], []]);
    // Nothing can be held any more: it does not look again.
    asked.length = 0;
    for (let second = 0; second < 300; second += 5) await clock.advance(5000);
    expect(asked.filter((verb) => verb === "take")).toEqual([]);
  });

  it("asks the storage for nothing while nothing comes and nothing has failed", async () => {
    const clock = createManualClock();
    const memory = createMemoryStorage({ clock });
    let takes = 0;
    const own = intercept(memory, ({ verb, run }) => {
      if (verb === "take") takes += 1;
      return run();
    });
    const kit = await started({ clock, storage: { ...memory, ...own } });
    const device = createDevice(kit);
    await connect(kit, device, true);
    await send(kit, "a");
    await ticks();
    const before = takes;
    for (let second = 0; second < 300; second += 5) await clock.advance(5000);
    expect([takes - before, device.contents()]).toEqual([0, ["a"]]);
  });

  it("gets what a poll puts back whose answer could not be written", async () => {
    const kit = await started();
    await send(kit, "a");
    const listeners: ((written: boolean) => void)[] = [];
    await poll(kit, {}, { onWritten: (listener) => void listeners.push(listener) });
    const device = createDevice(kit);
    await connect(kit, device, true);
    await ticks();
    expect(device.contents()).toEqual([]);
    for (const listener of listeners) listener(false);
    await ticks();
    expect(device.contents()).toEqual(["a"]);
  });

  it("leaves what it has not acknowledged to the next one, which opens while it ends", async () => {
    const kit = await started();
    const [old, next] = [createDevice(kit), createDevice(kit)];
    const [written, answered] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
    const stuck: DeviceConnection = { ...old.connection, push: () => written.promise, ping: () => answered.promise };
    const feed = await kit.telex.connectDevice(stuck, { deviceId, ack: true });
    await send(kit, "a");
    const opening = connect(kit, next, true);
    await ticks();
    const ended = feed?.close();
    answered.resolve(false);
    await ticks();
    await send(kit, "b");
    written.resolve(false);
    await ended;
    await opening;
    await ticks();
    expect(next.contents()).toEqual(["a", "b"]);
  });

  it("leaves what it has not acknowledged to the next one, which opens after it began to end", async () => {
    const kit = await started();
    const [old, next] = [createDevice(kit), createDevice(kit)];
    const written = Promise.withResolvers<boolean>();
    const feed = await kit.telex.connectDevice(
      { ...old.connection, push: () => written.promise },
      { deviceId, ack: true },
    );
    await send(kit, "a");
    await ticks();
    const ended = feed?.close();
    const opening = connect(kit, next, true);
    await ticks();
    written.resolve(false);
    await ended;
    await opening;
    await ticks();
    expect(next.contents()).toEqual(["a"]);
  });

  it("keeps its place while it answers, and yields when it does not", async () => {
    const kit = await started();
    const [old, refused, next] = [createDevice(kit), createDevice(kit), createDevice(kit)];
    await connect(kit, old);
    expect(await connect(kit, refused)).toBeNull();
    expect(refused.closed).toEqual(["in_use"]);
    old.state.answers = false;
    expect(await connect(kit, next)).not.toBeNull();
    expect(old.closed).toEqual(["replaced"]);
    expect(await send(kit, "hi")).toMatchObject({ delivered: 1 });
    expect(next.contents()).toEqual(["hi"]);
  });

  it("lets one of many new connections in", async () => {
    const kit = await started();
    const feeds = await Promise.all(Array.from({ length: 10 }, () => connect(kit, createDevice(kit))));
    expect(feeds.filter((feed) => feed !== null)).toHaveLength(1);
  });

  it("is closed when its device is unregistered", async () => {
    const kit = await started();
    const device = createDevice(kit);
    await connect(kit, device);
    await kit.telex.teleprinter.unregister(kit.alice, { deviceId });
    expect(device.closed).toEqual(["unregistered"]);
  });
});

describe("a watcher", () => {
  it("hears of texts in both directions, of deliveries and of presence", async () => {
    const kit = await started();
    const page = createConnection(kit.alice);
    const stranger = createConnection(kit.bob);
    kit.telex.watchDevices(page.connection);
    kit.telex.watchDevices(stranger.connection);
    const { id } = await send(kit, "to");
    await kit.telex.teleprinter.sync(kit.alice, { deviceId, content: "from" });
    await poll(kit);
    await kit.telex.teleprinter.offline(kit.alice, { deviceId });
    await kit.telex.teleprinter.heartbeat(kit.alice, { deviceId });
    expect(
      page.events.map(({ kind, data }) => [
        kind,
        "content" in data ? data.content : "online" in data ? data.online : "ids" in data ? data.ids : null,
      ]),
    ).toEqual([
      ["device_message", "to"],
      ["device_message", "from"],
      ["device_delivered", [id]],
      ["device_presence", false],
      ["device_presence", true],
    ]);
    expect(stranger.events).toEqual([]);
  });

  it("is told when a device falls silent", async () => {
    const kit = await started();
    const page = createConnection(kit.alice);
    kit.telex.watchDevices(page.connection);
    await kit.clock.advance(90_000);
    expect(page.events).toEqual([]);
    await kit.clock.advance(1000);
    expect(page.events).toMatchObject([{ kind: "device_presence", data: { deviceId, online: false } }]);
  });
});

describe("a poll that waits", () => {
  it.each(["take", "requeue"])(
    "gets what another one held whose %s failed, when the lease of that has ended",
    async (failing) => {
      const clock = createManualClock();
      const memory = createMemoryStorage({ clock });
      let fails = false;
      const own = intercept(memory, async ({ verb, run }) => {
        if (!fails || verb !== failing) return run();
        fails = false;
        if (verb === "take") await run();
        throw new TelexError("storage_unavailable");
      });
      const kit = await started({ clock, storage: { ...memory, ...own } });
      await send(kit, "a");
      fails = true;
      const failed = poll(kit, {}, { onWritten: (listener) => listener(false) });
      await failed.catch((cause: unknown) => expect(cause).toMatchObject({ code: "storage_unavailable" }));
      for (let second = 0; second < 90; second += 5) await clock.advance(5000);
      let received: string[] = [];
      void poll(kit, { wait: 60 }).then((messages) => (received = texts(messages)));
      await ticks();
      for (let second = 0; second < 50; second += 5) await clock.advance(5000);
      expect(received).toEqual(["a"]);
    },
  );

  const waitingPolls = async (kit: Kit) => {
    const plain = poll(kit, { wait: 60 });
    await ticks();
    const acked = poll(kit, { wait: 60, ack: 0 });
    await ticks();
    return [plain, acked].map((call) =>
      call.then(
        () => "answered",
        (error: unknown) => TelexError.from(error).code,
      ),
    );
  };
  const queued = (kit: Kit) =>
    kit.telex.teleprinter
      .messages(kit.alice, { deviceId })
      .then(({ messages }) => messages.map(({ content, delivered }) => [content, delivered]));

  it("ends with its token, within a second also where that was revoked elsewhere, and takes nothing", async () => {
    const kit = await started();
    const polls = await waitingPolls(kit);
    await kit.storage.tokens.revokeToken({ tokenId: 1 }, kit.clock.now());
    await kit.clock.advance(1000);
    expect(await Promise.all(polls)).toEqual(["invalid_token", "invalid_token"]);
    await kit.telex.teleprinter.send(kit.alice, { deviceId, content: "for the next one" });
    expect(await queued(kit)).toEqual([["for the next one", 0]]);
  });

  it("gives back what it took when its token ended meanwhile", async () => {
    const storage = createMemoryStorage();
    const taken = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const teleprinter: Storage["teleprinter"] = {
      ...storage.teleprinter,
      async take(take) {
        const outcome = await storage.teleprinter.take(take);
        if (outcome.outcome === "taken" && outcome.messages.length > 0) {
          taken.resolve();
          await goOn.promise;
        }
        return outcome;
      },
    };
    const kit = await started({ storage: { ...storage, teleprinter } });
    const call = poll(kit, { wait: 60 });
    await ticks();
    await kit.telex.teleprinter.send(kit.alice, { deviceId, content: "taken" });
    await taken.promise;
    await kit.telex.operator.tokens.revoke(operator, { token: kit.token });
    goOn.resolve();
    await expect(call).rejects.toMatchObject({ code: "invalid_token" });
    expect(await queued(kit)).toEqual([["taken", 0]]);
    expect((await poll(kit)).map(({ content }) => content)).toEqual(["taken"]);
  });
});

describe("the devices of a user", () => {
  it("are limited: one more is refused, also by pairing, and one's own can be registered again", async () => {
    const kit = await started({ limits: { devicesPerUser: 2 } });
    const { teleprinter, pairing } = kit.telex;
    await teleprinter.register(kit.alice, { deviceId: "second", name: "Second" });
    const refused = { code: "quota_exceeded", reason: "devices_too_many" };
    await expect(teleprinter.register(kit.alice, { deviceId: "third", name: "Third" })).rejects.toMatchObject(refused);
    const { code } = await pairing.pair(kit.alice, { deviceId: "third", name: "Third" });
    await pairing.pairing(kit.alice, { code });
    await expect(pairing.confirmPairing(kit.alice, { code })).rejects.toMatchObject(refused);
    await expect(teleprinter.register(kit.alice, { deviceId, name: "Again" })).resolves.toMatchObject({ deviceId });
    await expect(teleprinter.register(kit.bob, { deviceId: "third", name: "Third" })).resolves.toMatchObject({});
  });

  it("come whole, last seen first, or in pages by ID", async () => {
    const kit = await started();
    const { teleprinter } = kit.telex;
    for (const other of ["c", "a", "b", "d"]) {
      await kit.clock.advance(1000);
      await teleprinter.register(kit.alice, { deviceId: other, name: other });
    }
    const ids = async (input: { pageSize?: number; cursor?: string }): Promise<string[]> =>
      (await teleprinter.devices(kit.alice, input)).map((one) => one.deviceId);
    expect(await ids({})).toEqual(["d", "b", "a", "c", deviceId]);
    expect(await ids({ pageSize: 2 })).toEqual(["a", "b"]);
    expect(await ids({ pageSize: 2, cursor: "b" })).toEqual(["c", "d"]);
    expect(await ids({ pageSize: 2, cursor: "d" })).toEqual([deviceId]);
  });
});
