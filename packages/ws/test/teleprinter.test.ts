import { createManualClock, ticks, type Person } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { defaultWsLimits } from "../src/index.ts";
import { type Client, type Frame, open, type Running, startTelex } from "./harness.ts";

const deviceId = "printer-1";
const path = "/external/api/v1/teleprinter/webSocket";

interface Stage extends Running {
  readonly alice: Person;
  readonly device: (query?: string, token?: string) => Promise<Client>;
  readonly page: (token?: string) => Promise<Client>;
  readonly send: (content: string, priority?: number) => Promise<{ readonly id: number; readonly delivered: number }>;
  readonly poll: () => Promise<string[]>;
}

async function stage(options: Parameters<typeof startTelex>[0] = {}): Promise<Stage> {
  const running = await startTelex(options);
  const alice = await running.user("alice");
  const caller = await running.telex.authenticate(alice.token);
  const { teleprinter } = running.telex;
  await teleprinter.register(caller, { deviceId, name: "Printer" });
  const url = (token: string, query: string): string => `ws://127.0.0.1:${running.port}${path}/${token}${query}`;
  return {
    ...running,
    alice,
    device: (query = "", token = alice.token) => open(url(token, `?deviceId=${deviceId}${query}`)),
    page: (token = alice.token) => open(url(token, "")),
    send: (content, priority) => teleprinter.send(caller, { deviceId, content, ...(priority && { priority }) }),
    poll: async () => (await teleprinter.poll(caller, { deviceId })).map(({ content }) => content),
  };
}

const contentOf = ({ data }: Frame): unknown =>
  typeof data === "object" && data !== null && "content" in data ? data.content : undefined;
const idOf = ({ data }: Frame): unknown =>
  typeof data === "object" && data !== null && "id" in data ? data.id : undefined;
const onlineOf = ({ data }: Frame): unknown =>
  typeof data === "object" && data !== null && "online" in data ? data.online : undefined;

describe("a device that connects", () => {
  it("gets what was queued, in order, then what is sent, which is delivered", async () => {
    const { device, send, poll } = await stage();
    expect((await send("one")).delivered).toBe(0);
    await send("two");
    const client = await device();
    const frame = await client.next();
    expect(frame).toMatchObject({
      type: "TeleprinterMessage",
      code: 200,
      data: { deviceId, direction: "to_device", content: "one", delivered: 1 },
    });
    expect(contentOf(await client.next())).toBe("two");
    expect((await send("three")).delivered).toBe(1);
    expect(contentOf(await client.next())).toBe("three");
    expect(await poll()).toEqual([]);
  });

  it("with ack=1 has delivered what it acknowledges; the rest is queued again when it goes", async () => {
    const { device, send, poll } = await stage();
    const client = await device("&ack=1");
    expect((await send("one")).delivered).toBe(0);
    await send("two");
    const first = await client.next();
    expect(await client.next()).toMatchObject({ data: { content: "two", delivered: 0 } });
    client.send({ identifier: "a", command: "ack", id: idOf(first) });
    expect(await client.next()).toEqual({ type: "AckResult", code: 200, identifier: "a", data: null, msg: "success" });
    client.send({ identifier: "b", command: "ack", id: "no id" });
    expect(await client.next()).toMatchObject({ type: "OperationFailed", code: 500, identifier: "b" });
    await client.close();
    let left: string[] = [];
    while (left.length === 0) left = await poll();
    expect(left).toEqual(["two"]);
  });

  it("with order=priority gets the most urgent texts first, and acknowledges single ones", async () => {
    const { device, send, poll } = await stage();
    const usual = await send("usual");
    const urgent = await send("urgent", 5);
    await send("idle", 1);
    const client = await device("&ack=1&order=priority");
    expect(contentOf(await client.next())).toBe("urgent");
    expect(contentOf(await client.next())).toBe("usual");
    client.send({ identifier: "a", command: "ack", ids: [urgent.id] });
    const answers = [await client.next(), await client.next()];
    expect(answers).toContainEqual({ type: "AckResult", code: 200, identifier: "a", data: null, msg: "success" });
    expect(answers.map(contentOf)).toContain("idle");
    await client.close();
    let left: string[] = [];
    while (left.length === 0) left = await poll();
    expect([usual.id < urgent.id, left]).toEqual([true, ["usual", "idle"]]);
  });

  it("is not robbed by a poll of what is on its way", async () => {
    const { device, send, poll } = await stage();
    const client = await device("&ack=1");
    await send("one");
    await client.next();
    expect(await poll()).toEqual([]);
  });

  it("can send a heartbeat, a text and its leave, answered like the calls of those names", async () => {
    const { device } = await stage();
    const client = await device();
    client.send({ identifier: 1, command: "heartbeat" });
    client.send({ identifier: 2, command: "sync", content: "from the device", nonce: "n" });
    client.send({ identifier: 3, command: "sync", content: "another", nonce: "n" });
    client.send({ identifier: 4, command: "offline" });
    client.send({ identifier: 5, command: "register", name: "x" });
    expect(await client.next()).toMatchObject({
      type: "HeartbeatResult",
      code: 200,
      identifier: 1,
      data: { online: true },
    });
    expect(await client.next()).toMatchObject({
      type: "SyncResult",
      identifier: 2,
      data: { direction: "from_device", content: "from the device", delivered: 1 },
    });
    expect(await client.next()).toMatchObject({ type: "OperationFailed", code: 500, identifier: 3 });
    expect(await client.next()).toMatchObject({ type: "OfflineResult", identifier: 4, data: { online: false } });
    expect(await client.next()).toMatchObject({ type: "OperationFailed", code: 500, identifier: 5 });
  });

  it("may use a token of its own, and nobody else's", async () => {
    const { device, telex, alice, user } = await stage();
    const issue = (scope: string) =>
      telex.operator.tokens
        .issue({ kind: "operator" }, { userId: alice.id, scopes: [scope] })
        .then(({ token }) => token);
    const own = await device("", await issue(`device:${deviceId}`));
    own.send({ identifier: 1, command: "heartbeat" });
    expect(await own.next()).toMatchObject({ type: "HeartbeatResult" });
    const other = await device("", await issue("device:other"));
    other.send({ identifier: 1, command: "heartbeat" });
    expect(await other.next()).toEqual({ type: "LoginFail", code: 400, identifier: 1 });
    const bob = await device("", (await user("bob")).token);
    expect(await bob.next()).toMatchObject({ type: "OperationFailed", code: 500, identifier: null });
    expect(await bob.closed).toBe(4403);
  });

  it("is told that it is not registered", async () => {
    const { port, alice } = await stage();
    const client = await open(`ws://127.0.0.1:${port}${path}/${alice.token}?deviceId=none`);
    expect(await client.next()).toMatchObject({ type: "OperationFailed", code: 500 });
    expect(await client.closed).toBe(4404);
  });

  it("keeps its place while it answers pings", async () => {
    const { device, send } = await stage();
    const first = await device();
    const second = await device();
    expect(await second.closed).toBe(4409);
    await send("still first");
    expect(contentOf(await first.next())).toBe("still first");
  });

  it("loses its place to another when it does not answer within five seconds", async () => {
    const clock = createManualClock();
    const { device, send, telex } = await stage({ clock });
    const dead = await device();
    dead.send({ identifier: 1, command: "heartbeat" });
    await dead.next();
    dead.socket.pause();
    const next = await device();
    next.send({ identifier: 2, command: "heartbeat" });
    await next.next();
    await clock.advance(telex.limits.takeoverWait);
    void send("for the living");
    expect(contentOf(await next.next())).toBe("for the living");
  });

  it("stays online by its pongs", async () => {
    const clock = createManualClock();
    const { device, alice, storage } = await stageWithStore(clock);
    const client = await device();
    client.send({ identifier: 1, command: "heartbeat" });
    await client.next();
    const before = (await storage())?.lastSeen ?? 0;
    let seen = before;
    while (seen === before) {
      await clock.advance(defaultWsLimits.pingInterval / 30);
      await ticks(5);
      seen = (await storage())?.lastSeen ?? 0;
    }
    expect(seen).toBeGreaterThan(before);
    expect(alice.id).toBeGreaterThan(0);
  });

  it("is closed when its device is unregistered", async () => {
    const { device, telex, alice } = await stage();
    const client = await device();
    client.send({ identifier: 1, command: "heartbeat" });
    await client.next();
    await telex.teleprinter.unregister(await telex.authenticate(alice.token), { deviceId });
    expect(await client.closed).toBe(4404);
  });
});

async function stageWithStore(clock: ReturnType<typeof createManualClock>) {
  let find: ((deviceId: string) => Promise<{ readonly lastSeen: number } | null>) | null = null;
  const staged = await stage({
    clock,
    wrap(storage) {
      find = (id) => storage.teleprinter.findDevice(id);
      return storage;
    },
  });
  return { ...staged, storage: () => find?.(deviceId) ?? Promise.resolve(null) };
}

describe("a page that watches", () => {
  it("gets texts both ways, deliveries and presence of its own user's devices only", async () => {
    const { page, telex, alice, send, poll, user } = await stage();
    const caller = await telex.authenticate(alice.token);
    const [own, stranger] = [await page(), await page((await user("bob")).token)];
    own.send({ identifier: 1, command: "heartbeat" });
    expect(await own.next()).toMatchObject({
      type: "OperationFailed",
      identifier: 1,
      msg: "此连接只接收事件,不接受命令“heartbeat”。设备请以 deviceId 连接。",
    });
    const { id } = await send("to");
    await telex.teleprinter.sync(caller, { deviceId, content: "from" });
    await poll();
    await telex.teleprinter.offline(caller, { deviceId });
    expect(await own.next()).toMatchObject({ type: "TeleprinterMessage", data: { id, content: "to", delivered: 0 } });
    expect(await own.next()).toMatchObject({
      type: "TeleprinterMessage",
      data: { content: "from", direction: "from_device" },
    });
    expect(await own.next()).toEqual({ type: "TeleprinterDelivered", code: 200, data: { deviceId, ids: [id] } });
    const gone = await own.next();
    expect([gone.type, onlineOf(gone)]).toEqual(["TeleprinterPresence", false]);
    stranger.send({ identifier: "only answer", command: "x" });
    expect(await stranger.next()).toMatchObject({ identifier: "only answer" });
  });

  it("needs a token with chat", async () => {
    const { page, telex, alice } = await stage();
    const scopes = [`device:${deviceId}`];
    const { token } = await telex.operator.tokens.issue({ kind: "operator" }, { userId: alice.id, scopes });
    const client = await page(token);
    client.send({ identifier: 1, command: "x" });
    expect(await client.next()).toEqual({ type: "LoginFail", code: 400, identifier: 1 });
  });
});
