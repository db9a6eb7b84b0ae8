import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { createLocalBus, operator, type Caller } from "../src/index.ts";
import { createManualClock, ticks } from "@telex/conformance/testing";
import type { CallContext } from "@telex/ground/contract";
import { createConnection } from "./kit.ts";
import { type Killable, startKillable } from "./killable.ts";

const deviceId = "printer";

/** Two servers of an installation with a device. */
async function createServers() {
  const clock = createManualClock();
  const shared = { clock, storage: createMemoryStorage({ clock }), bus: createLocalBus() };
  const [a, b] = [await startKillable(shared), await startKillable(shared)];
  await a.telex.operator.users.add(operator, { nickname: "Ada" });
  const { token } = await a.telex.operator.tokens.issue(operator, { userId: 1, scopes: ["chat"], life: null });
  const caller = await b.telex.authenticate(token);
  await b.telex.teleprinter.register(caller, { deviceId, name: "Printer" });
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await ticks(3);
      await clock.advance(1000);
    }
    await ticks(3);
  };
  const send = async (server: Killable, content: string): Promise<number> =>
    (await server.telex.teleprinter.send(caller, { deviceId, content })).id;
  return { a, b, caller, pass, send, restart: () => startKillable(shared) };
}

/** A device whose socket takes everything, and answers pings as long as it listens. */
async function connect(server: Killable, caller: Caller, ack: boolean) {
  const { connection, events, closed } = createConnection(caller);
  const device = { listens: true, writes: true };
  const contents = (): string[] =>
    events.flatMap((event) => (event.kind === "device_message" ? [event.data.content] : []));
  const feed = await server.telex.connectDevice(
    {
      ...connection,
      push(batch) {
        events.push(...batch);
        return Promise.resolve(device.writes);
      },
      ping: () => Promise.resolve(device.listens),
    },
    { deviceId, ack },
  );
  await ticks();
  return { device, contents, closed, feed };
}

const poll = async (server: Killable, caller: Caller, fields: object = {}, context?: CallContext): Promise<string[]> =>
  (await server.telex.teleprinter.poll(caller, { deviceId, ...fields }, context)).map(({ content }) => content);

describe("what a killed server held for a device", () => {
  it.each([
    { after: "a connection", ack: false },
    { after: "a connection that acknowledges", ack: true },
  ])("comes before what is sent later, on $after to another server, within six seconds", async ({ ack }) => {
    const { a, b, caller, pass, send } = await createServers();
    const old = await connect(a, caller, true);
    for (const content of ["x1", "x2"]) await send(b, content);
    await ticks();
    expect(old.contents()).toEqual(["x1", "x2"]);
    a.kill();
    const next = await connect(b, caller, ack);
    // Without ack, an answer waits until the socket has the text.
    const sent = ["y1", "y2"].map((content) => send(b, content));
    expect(next.contents()).toEqual([]);
    await pass(5);
    await Promise.all(sent);
    expect([next.contents(), next.closed]).toEqual([["x1", "x2", "y1", "y2"], []]);
  });

  it.each([
    { name: "a poll", fields: {} },
    { name: "a poll that waits", fields: { wait: 10 } },
    { name: "a poll with ack", fields: { ack: 0 } },
    { name: "a poll with ack that waits", fields: { ack: 0, wait: 10 } },
  ])("comes before what is sent later, in $name at another server, within six seconds", async ({ fields }) => {
    const { a, b, caller, pass, send } = await createServers();
    await connect(a, caller, true);
    await send(b, "x1");
    await ticks();
    a.kill();
    const asked = poll(b, caller, fields);
    await send(b, "y1");
    await pass(5);
    const first = await asked;
    expect(first.length === 0 ? await poll(b, caller, fields) : first).toEqual(["x1", "y1"]);
  });

  it("for a poll whose answer was not marked comes again at another server, first", async () => {
    const { a, b, caller, pass, send } = await createServers();
    await send(b, "x1");
    expect(await poll(a, caller, {}, { onWritten() {} })).toEqual(["x1"]);
    a.kill();
    await send(b, "y1");
    expect(await poll(b, caller)).toEqual([]);
    await pass(5);
    expect(await poll(b, caller)).toEqual(["x1", "y1"]);
  });

  it("comes after a restart of the only server without waiting for anybody", async () => {
    const clock = createManualClock();
    const shared = { clock, storage: createMemoryStorage({ clock }), bus: null };
    const a = await startKillable(shared);
    await a.telex.operator.users.add(operator, { nickname: "Ada" });
    const { token } = await a.telex.operator.tokens.issue(operator, { userId: 1, scopes: ["chat"], life: null });
    const caller = await a.telex.authenticate(token);
    await a.telex.teleprinter.register(caller, { deviceId, name: "Printer" });
    await connect(a, caller, true);
    await a.telex.teleprinter.send(caller, { deviceId, content: "x1" });
    await ticks();
    a.kill();
    const next = await startKillable(shared);
    expect((await connect(next, await next.telex.authenticate(token), true)).contents()).toEqual(["x1"]);
  });
});

describe("two connections of a device to two servers", () => {
  it("the first one keeps its place while it answers", async () => {
    const { a, b, caller, pass, send } = await createServers();
    const old = await connect(a, caller, true);
    const refused = await connect(b, caller, true);
    await send(b, "a");
    await pass(6);
    expect([old.contents(), old.closed, refused.contents(), refused.closed]).toEqual([["a"], [], [], ["in_use"]]);
  });

  it("the first one yields if it does not answer, with all that it has not acknowledged", async () => {
    const { a, b, caller, pass, send } = await createServers();
    const old = await connect(a, caller, true);
    const first = await send(b, "a");
    await send(b, "b");
    await ticks();
    await old.feed?.acknowledge(first);
    old.device.listens = false;
    const next = await connect(b, caller, true);
    await send(b, "c");
    await pass(6);
    expect([old.closed, next.contents(), next.closed]).toEqual([["replaced"], ["b", "c"], []]);
  });

  it("the first one marks nothing, says so, and pushes nothing when its server goes on that stood still", async () => {
    const { a, b, caller, pass, send } = await createServers();
    const old = await connect(a, caller, true);
    const x = await send(b, "x");
    await ticks();
    const goOn = a.pause();
    const next = await connect(b, caller, true);
    await pass(5);
    expect(next.contents()).toEqual(["x"]);
    const marking = old.feed?.acknowledge(x);
    goOn();
    await expect(marking).rejects.toMatchObject({ code: "storage_unavailable" });
    await send(b, "y");
    await pass(12);
    const { messages } = await b.telex.teleprinter.messages(caller, { deviceId });
    expect(messages.map(({ content, delivered }) => [content, delivered])).toEqual([
      ["y", 0],
      ["x", 0],
    ]);
    expect([old.contents(), old.closed, next.contents(), next.closed]).toEqual([["x"], ["replaced"], ["x", "y"], []]);
  });
});

describe("a poll at another server", () => {
  it("gets nothing while one is answered, and what comes then when that is marked", async () => {
    const { a, b, caller, pass, send } = await createServers();
    await send(b, "x");
    const written: ((isWritten: boolean) => void)[] = [];
    const context = { onWritten: (listener: (isWritten: boolean) => void) => void written.push(listener) };
    expect(await poll(a, caller, {}, context)).toEqual(["x"]);
    const waiting = poll(b, caller, { wait: 60 });
    await send(b, "y");
    await pass(8);
    for (const listener of written) listener(true);
    await pass(1);
    expect(await waiting).toEqual(["y"]);
  });

  it("gets what another one took 30 seconds ago whose answer nobody has heard of", async () => {
    const { a, b, caller, pass, send } = await createServers();
    await send(b, "x");
    await poll(a, caller, {}, { onWritten() {} });
    await pass(29);
    expect(await poll(b, caller)).toEqual([]);
    await pass(1);
    expect(await poll(b, caller)).toEqual(["x"]);
  });

  it("leaves alone what an open connection has", async () => {
    const { a, b, caller, pass, send } = await createServers();
    const old = await connect(a, caller, true);
    await send(b, "x");
    await ticks();
    expect([await poll(b, caller), await poll(b, caller, { ack: 0 })]).toEqual([[], []]);
    await pass(8);
    expect([await poll(b, caller), old.contents(), old.closed]).toEqual([[], ["x"], []]);
  });
});
