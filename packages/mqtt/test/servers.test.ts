import { anonymous } from "@telex/core";
import { ticks, until } from "@telex/conformance/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Client, logIn, subscribe, tryLogin } from "./harness.ts";
import { createInstallation, deviceId, openSocket, type Server } from "./installation.ts";

const to = "telex/kitchen/to";
const status = "telex/kitchen/status";

async function start() {
  const installation = await createInstallation();
  const { a, b, token, caller } = installation;
  onTestFinished(async () => {
    await Promise.all([a, b].map((server) => server.close()));
  });
  const device = { username: deviceId, password: token };
  return {
    ...installation,
    device,
    owner: { username: "user", password: token, clientId: "owner" },
    send: (server: Server, content: string) => server.telex.teleprinter.send(caller, { deviceId, content }),
    poll: async (server: Server, fields: object = {}) =>
      (await server.telex.teleprinter.poll(caller, { deviceId, ...fields })).map(({ content }) => content),
    isOnline: async ({ telex }: Server) => (await telex.teleprinter.devices(caller, {}))[0]?.online,
    /** A connection that has the queue. */
    connect: async (server: Server, clientId: string): Promise<Client> => {
      const client = await logIn(server.port, { ...device, clientId });
      await subscribe(client, to);
      return client;
    },
  };
}

const nextText = async (client: Client): Promise<string> => (await client.next("publish")).payload.toString();

/** The reason of the DISCONNECT, after the texts before it. */
async function reasonOf(client: Client): Promise<number | undefined> {
  const packet = await client.take();
  return packet.cmd === "publish" ? reasonOf(client) : packet.cmd === "disconnect" ? packet.reasonCode : undefined;
}

describe("on two servers, the newest connection of a device gets the queue", () => {
  it("from a connection over MQTT to another one, which first gets the unacknowledged texts of the other", async () => {
    const { a, b, connect, send } = await start();
    const old = await connect(a, "first");
    await send(b, "held");
    expect(await nextText(old)).toBe("held");
    const next = await connect(b, "second");
    expect(await reasonOf(old)).toBe(0x8e);
    await send(a, "later");
    expect([await nextText(next), await nextText(next)]).toEqual(["held", "later"]);
  });

  it("with the same client identifier", async () => {
    const { a, b, connect, send } = await start();
    const old = await connect(a, "same");
    const next = await connect(b, "same");
    expect(await reasonOf(old)).toBe(0x8e);
    await send(a, "text");
    expect(await nextText(next)).toBe("text");
  });

  it("from a socket that answers to MQTT, and back", async () => {
    const { a, b, caller, connect, send } = await start();
    const socket = await openSocket(a, caller, true);
    await send(b, "held");
    await until(() => socket.inbox.length === 1);
    const mqtt = await connect(b, "mqtt");
    expect(await nextText(mqtt)).toBe("held");
    expect(socket.isOpen).toBe(false);
    const back = await openSocket(a, caller, true);
    expect(await reasonOf(mqtt)).toBe(0x8e);
    await until(() => back.inbox.length === 1);
    expect(back.inbox).toMatchObject([{ content: "held" }]);
  });

  it("from MQTT to a poll, and from a poll that waits to MQTT", async () => {
    const { a, b, connect, send, poll } = await start();
    const first = await connect(a, "first");
    await send(b, "held");
    await nextText(first);
    expect(await poll(b)).toEqual([]);
    expect(await reasonOf(first)).toBe(0x8e);
    await until(async () => (await poll(b)).includes("held"));
    const waiting = poll(b, { wait: 60 });
    await ticks();
    const second = await connect(a, "second");
    expect(await waiting).toEqual([]);
    await send(b, "later");
    expect(await nextText(second)).toBe("later");
  });

  it("also if the server of the older one was killed, within six seconds", async () => {
    const { a, b, connect, send, pass } = await start();
    const old = await connect(a, "first");
    await send(b, "held");
    await nextText(old);
    a.kill();
    const next = await connect(b, "second");
    await send(b, "later");
    await pass(5);
    expect([await nextText(next), await nextText(next)]).toEqual(["held", "later"]);
  });
});

describe("the state of a device, seen from another server", () => {
  it("is retained, and changes when its connection begins and ends", async () => {
    const { a, b, device, owner, clock } = await start();
    await clock.advance(91_000);
    const watcher = await logIn(b.port, owner);
    await subscribe(watcher, status);
    expect(await watcher.next("publish")).toMatchObject({ topic: status, retain: true });
    const client = await logIn(a.port, device);
    const came = await watcher.next("publish");
    expect([came.payload.toString(), came.retain]).toEqual(["online", false]);
    await clock.advance(1);
    client.socket.destroy();
    expect(await nextText(watcher)).toBe("offline");
  });

  it("is offline only after its last connection, on whichever server that is", async () => {
    const { a, b, device, isOnline, clock } = await start();
    await clock.advance(91_000);
    const first = await logIn(a.port, { ...device, clientId: "first" });
    await clock.advance(1);
    const second = await logIn(b.port, { ...device, clientId: "second" });
    await clock.advance(1);
    first.socket.destroy();
    await ticks(50);
    expect([await isOnline(a), await isOnline(b)]).toEqual([true, true]);
    await clock.advance(80_000);
    second.send({ cmd: "pingreq" });
    await second.next("pingresp");
    await clock.advance(20_000);
    second.socket.destroy();
    await until(async () => !(await isOnline(a)) && !(await isOnline(b)));
  });

  it("is offline when a connection ends that has replaced one on the other server", async () => {
    const { a, b, device, isOnline, clock } = await start();
    await clock.advance(91_000);
    for (const server of [a, b, a]) {
      const client = await logIn(server.port, device);
      await clock.advance(1);
      expect(await isOnline(b)).toBe(true);
      client.socket.destroy();
      await until(async () => !(await isOnline(a)) && !(await isOnline(b)));
      await clock.advance(1);
    }
  });
});

it("publishes messages of a device over any transport to its owner on another server", async () => {
  const { a, b, device, owner, caller } = await start();
  const watcher = await logIn(b.port, owner);
  await subscribe(watcher, "telex/+/from");
  await a.telex.teleprinter.sync(caller, { deviceId, content: "over HTTP" });
  const client = await logIn(a.port, device);
  client.send({ cmd: "publish", topic: "telex/kitchen/from", payload: "over MQTT", qos: 0, dup: false, retain: false });
  expect([await nextText(watcher), await nextText(watcher)]).toEqual(["over HTTP", "over MQTT"]);
});

it("delivers texts that an owner publishes on another server", async () => {
  const { a, b, owner, connect } = await start();
  const client = await connect(a, "device");
  const writer = await logIn(b.port, owner);
  writer.send({
    cmd: "publish",
    topic: "telex/kitchen/send",
    payload: "hello",
    qos: 1,
    messageId: 1,
    dup: false,
    retain: false,
  });
  expect((await writer.next("puback")).reasonCode).toBe(0);
  expect(await nextText(client)).toBe("hello");
});

it("admits a device whose pairing was asked for and confirmed on other servers", async () => {
  const { a, b, caller, start: startServer } = await start();
  const { code, secret } = await a.telex.pairing.pair(anonymous, { deviceId: "cellar", name: "Cellar" });
  const login = { username: "cellar", password: secret };
  expect((await tryLogin(b.port, login)).answer.reasonCode).toBe(0x87);
  await a.telex.pairing.confirmPairing(caller, { code });
  const client = await logIn(b.port, login);
  const { topic, payload, messageId = 0 } = await client.next("publish");
  expect(topic).toBe("telex/cellar/token");
  client.send({ cmd: "puback", messageId });
  client.send({ cmd: "pingreq" });
  await client.next("pingresp");
  const third = await startServer();
  onTestFinished(() => third.close());
  expect((await tryLogin(third.port, login)).answer.reasonCode).toBe(0x87);
  expect((await tryLogin(third.port, { ...login, password: payload.toString() })).answer.reasonCode).toBe(0);
});

it("counts a repeat with DUP once on another server", async () => {
  const { a, b, device, caller } = await start();
  const say = {
    cmd: "publish",
    topic: "telex/kitchen/from",
    payload: "a",
    qos: 1,
    messageId: 5,
    retain: false,
  } as const;
  for (const [server, dup] of [
    [a, false],
    [b, true],
    [b, false],
  ] as const) {
    const client = await logIn(server.port, { ...device, clientId: "same" });
    client.send({ ...say, dup });
    await client.next("puback");
    client.socket.destroy();
  }
  const { messages } = await b.telex.teleprinter.messages(caller, { deviceId });
  expect(messages.map(({ content }) => content)).toEqual(["a", "a"]);
});
