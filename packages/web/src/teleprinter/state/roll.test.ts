import type { DeviceMessageView } from "@telex/core";
import { fc } from "test-support/property";
import { expect, test } from "vitest";
import { createRoll, type Roll, type RollOptions } from "./roll.ts";
import { begin, putBefore } from "./unrolled.ts";

type Step = () => Promise<void>;

/** Delays responses and events, and releases them in the order that the test chooses. */
interface Gate {
  readonly pass: Step;
}

/** Stores the messages of one device, and sends events to a page while it is connected. */
class FakeServer {
  #messages: DeviceMessageView[] = [];
  #events: Promise<void> = Promise.resolve();
  #connection = 0;
  readonly #gate: Gate;
  roll: Roll | null = null;
  connected = false;
  live = false;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  get messages(): readonly DeviceMessageView[] {
    return this.#messages;
  }

  /** Sends an event in order, and only over the current connection. */
  #tell(event: (roll: Roll) => void): void {
    const connection = this.#connection;
    const arrive = async (): Promise<void> => {
      await this.#gate.pass();
      if (connection === this.#connection && this.roll !== null) event(this.roll);
    };
    if (this.connected) this.#events = this.#events.then(arrive);
  }

  add(direction: DeviceMessageView["direction"]): void {
    const id = (this.#messages.at(-1)?.id ?? 0) + 3;
    const message: DeviceMessageView = {
      id,
      direction,
      deviceId: "kitchen",
      content: `text ${id}`,
      delivered: direction === "to_device" ? 0 : 1,
      createdAt: new Date(id * 1000).toISOString(),
    };
    this.#messages.push(message);
    this.#tell((roll) => roll.receive(message));
  }

  deliver(): void {
    const waiting = this.#messages.filter(({ delivered }) => delivered === 0).map(({ id }) => id);
    this.#messages = this.#messages.map((message) => ({ ...message, delivered: 1 }));
    this.#tell((roll) => roll.delivered(waiting));
  }

  readonly page: RollOptions["page"] = async ({ cursor, pageSize }) => {
    await this.#gate.pass();
    const before = Number(cursor ?? Infinity);
    const older = this.#messages.filter(({ id }) => id < before).toReversed();
    const messages = older.slice(0, pageSize);
    const page = { messages, nextPageCursor: older.length > messages.length ? String(messages.at(-1)?.id) : null };
    await this.#gate.pass();
    return page;
  };

  async connect(): Promise<void> {
    if (this.connected) return;
    this.connected = true;
    this.#connection += 1;
    const connection = this.#connection;
    // Other things are fetched first.
    await this.#gate.pass();
    await this.roll?.catchUp();
    if (connection === this.#connection) this.live = true;
  }

  disconnect(): void {
    this.#connection += 1;
    this.connected = false;
    this.live = false;
  }

  /** Resolves when all events have arrived. */
  settle(): Promise<void> {
    return this.#events;
  }
}

const open = (gate: Gate): FakeServer => {
  const server = new FakeServer(gate);
  const sizes = { page: 3, missedPage: 2, missedPages: 3 };
  server.roll = createRoll({ deviceId: "kitchen", page: server.page, isLive: () => server.live, sizes });
  return server;
};

const openGate: Gate = { pass: () => Promise.resolve() };
const textsOf = (roll: Roll | null) => roll?.unrolled.value?.texts ?? [];
const shown = (messages: readonly DeviceMessageView[]) =>
  messages.map(({ id, content, delivered }) => ({ id, content, delivered }));

type Action = "print" | "send" | "deliver" | "connect" | "disconnect" | "load";

async function act(server: FakeServer, action: Action): Promise<void> {
  if (action === "print") server.add("from_device");
  if (action === "send") server.add("to_device");
  if (action === "deliver") server.deliver();
  if (action === "disconnect") server.disconnect();
  if (action === "connect") await server.connect();
  if (action === "load") await server.roll?.load();
}

test("whatever is sent, delivered, disconnected and fetched in whatever order, the paper shows each text of the server once and in order", async () => {
  const action = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Action>("print", "send") },
    { weight: 5, arbitrary: fc.constantFrom<Action>("deliver", "connect", "disconnect", "load") },
  );
  const actions = fc.array(fc.record({ action, turns: fc.nat(3) }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), actions, async (scheduler, list) => {
      const server = open({ pass: () => scheduler.schedule(Promise.resolve()) });
      const running: Promise<void>[] = [];
      for (const { action: next, turns } of list) {
        running.push(act(server, next));
        // Some actions follow one another, and others overlap.
        for (let turn = 0; turn < turns && scheduler.count() > 0; turn += 1) await scheduler.waitOne();
      }
      await scheduler.waitFor(Promise.all(running));
      await scheduler.waitFor(server.connect());
      if (server.roll?.unrolled.value === null) await scheduler.waitFor(act(server, "load"));
      await scheduler.waitFor(server.settle());

      const texts = textsOf(server.roll);
      const oldest = texts[0]?.id ?? 0;
      expect(shown(texts)).toEqual(shown(server.messages.filter(({ id }) => id >= oldest)));
      const isComplete = server.roll?.unrolled.value?.isComplete ?? false;
      if (isComplete) expect(texts).toHaveLength(server.messages.length);
    }),
    { numRuns: 3000 },
  );
});

test("history is loaded page by page to its beginning", async () => {
  const server = open(openGate);
  for (let count = 0; count < 8; count += 1) server.add("from_device");
  await server.roll?.load();
  expect(textsOf(server.roll)).toHaveLength(3);
  await server.roll?.load();
  expect(server.roll?.unrolled.value).toMatchObject({ before: 3, isComplete: false });
  await server.roll?.load();
  expect(shown(textsOf(server.roll))).toEqual(shown(server.messages));
  expect(server.roll?.unrolled.value?.isComplete).toBe(true);
});

test("two calls for history load one page", async () => {
  const server = open(openGate);
  for (let count = 0; count < 8; count += 1) server.add("from_device");
  await Promise.all([server.roll?.load(), server.roll?.load()]);
  expect(textsOf(server.roll)).toHaveLength(3);
});

test("after more missed texts than one fetch returns, a new roll begins, and the rest is loaded as history", async () => {
  const server = open(openGate);
  server.add("from_device");
  await server.roll?.load();
  await server.connect();
  server.disconnect();
  for (let count = 0; count < 20; count += 1) server.add("from_device");
  await server.connect();
  expect(textsOf(server.roll)).toHaveLength(6);
  while (server.roll?.unrolled.value?.isComplete === false) await server.roll.load();
  expect(shown(textsOf(server.roll))).toEqual(shown(server.messages));
});

test("a page that cannot be loaded reports the problem, and can be loaded later", async () => {
  let fails = true;
  const server = new FakeServer(openGate);
  server.add("from_device");
  const roll = createRoll({
    deviceId: "kitchen",
    page: (query) => (fails ? Promise.reject(new TypeError("failed to fetch")) : server.page(query)),
    isLive: () => true,
  });
  await roll.load();
  expect(roll.problem.value).toBe("unreachable");
  fails = false;
  await roll.load();
  expect({ problem: roll.problem.value, texts: textsOf(roll).length }).toEqual({ problem: null, texts: 1 });
});

test("a page that was requested before the roll began again is not prepended to another text", () => {
  const page = (ids: readonly number[]) => ({
    nextPageCursor: null,
    messages: ids.map((id) => ({
      id,
      deviceId: "kitchen",
      direction: "from_device" as const,
      content: `text ${id}`,
      delivered: 1 as const,
      createdAt: "2026-11-20T08:15:30.123+00:00",
    })),
  });
  const unrolled = begin({ ...page([9, 8]), nextPageCursor: "8" }, []);
  expect(putBefore(unrolled, 5, page([4, 3]))).toBe(unrolled);
  expect(putBefore(unrolled, 8, page([7, 6])).texts.map(({ id }) => id)).toEqual([6, 7, 8, 9]);
});

test("texts that arrive out of order are all included", async () => {
  const server = open(openGate);
  await server.roll?.load();
  server.add("to_device");
  server.add("to_device");
  for (const message of server.messages.toReversed()) server.roll?.receive(message);
  expect(shown(textsOf(server.roll))).toEqual(shown(server.messages));
});
