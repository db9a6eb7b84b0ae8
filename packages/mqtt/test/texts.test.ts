import { intercept } from "@telex/conformance";
import { type Clock, TelexError } from "@telex/core";
import { createManualClock, ticks, until } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { type Client, logIn, publish, subscribe, tryLogin, withDevice } from "./harness.ts";

const to = "telex/kitchen/to";
const from = "telex/kitchen/from";

async function nextText(client: Client): Promise<{ readonly text: string; readonly messageId: number }> {
  const { payload, messageId = 0 } = await client.next("publish");
  return { text: payload.toString(), messageId };
}

/** A storage that does not mark texts as delivered while `isAway` is true. */
function createForgetful(clock: Clock) {
  const memory = createMemoryStorage({ clock });
  const state = { isAway: false, failures: 0 };
  const own = intercept(memory, ({ verb, run }) => {
    if (verb !== "deliver" || !state.isAway) return run();
    state.failures += 1;
    throw new TelexError("storage_unavailable");
  });
  return { state, storage: { ...memory, ...own } };
}

/** A device that has received two texts and acknowledged the first one, while the storage cannot store that. */
async function withUnstored(version: 4 | 5) {
  const clock = createManualClock();
  const { state, storage } = createForgetful(clock);
  const running = await withDevice({ clock, storage });
  const client = await logIn(running.port, { ...running.login, version });
  await subscribe(client, to);
  for (const text of ["one", "two"]) await running.send(text);
  const { messageId } = await nextText(client);
  await nextText(client);
  state.isAway = true;
  acknowledge(client, messageId);
  client.send({ cmd: "pingreq" });
  await until(() => state.failures > 0);
  await ticks();
  /** The first text of a new connection. */
  const first = async (): Promise<string> => {
    const next = await logIn(running.port, { ...running.login, version });
    await subscribe(next, to);
    return (await nextText(next)).text;
  };
  return { ...running, clock, state, client, first };
}

const acknowledge = (client: Client, messageId: number): void => client.send({ cmd: "puback", messageId });

describe.each([4, 5] as const)("texts for a device over MQTT %s", (version) => {
  it("publishes waiting and new texts in order, and PUBACK acknowledges them", async () => {
    const { port, login, send, waiting } = await withDevice();
    await send("one");
    await send("two");
    const client = await logIn(port, { ...login, version });
    expect(await subscribe(client, to)).toBe(1);
    const first = await nextText(client);
    const second = await nextText(client);
    await send("three");
    const third = await nextText(client);
    expect([first.text, second.text, third.text]).toEqual(["one", "two", "three"]);
    acknowledge(client, second.messageId);
    acknowledge(client, first.messageId);
    await until(async () => (await waiting()) === 1);
    client.socket.destroy();
    const again = await logIn(port, { ...login, version });
    await subscribe(again, to);
    expect((await nextText(again)).text).toBe("three");
    await ticks();
    expect(again.waiting()).toBe(0);
  });

  it("keeps no session, and texts wait in the queue, also for a client that asks for a session", async () => {
    const { port, login, send, waiting } = await withDevice();
    const first = await logIn(port, { ...login, version, clean: false });
    await subscribe(first, to);
    first.socket.destroy();
    await first.closed;
    await send("while it was away");
    const { client, answer } = await tryLogin(port, { ...login, version, clean: false });
    expect(answer.sessionPresent).toBe(false);
    client.send({ cmd: "pingreq" });
    await client.next("pingresp");
    expect([client.waiting(), await waiting()]).toEqual([0, 1]);
    await subscribe(client, to);
    expect((await nextText(client)).text).toBe("while it was away");
  });

  it("delivers with QoS 0 when the socket has taken the text", async () => {
    const { port, login, send, waiting } = await withDevice();
    await send("one");
    const client = await logIn(port, { ...login, version });
    expect(await subscribe(client, to, 0)).toBe(0);
    expect(await nextText(client)).toEqual({ text: "one", messageId: 0 });
    await until(async () => (await waiting()) === 0);
  });

  it("has at most 20 unacknowledged texts", async () => {
    const { port, login, send, waiting } = await withDevice();
    for (let text = 1; text <= 30; text += 1) await send(`${text}`);
    const client = await logIn(port, { ...login, version });
    await subscribe(client, to);
    const shown = [];
    while (shown.length < 20) shown.push(await nextText(client));
    await ticks();
    expect(client.waiting()).toBe(0);
    acknowledge(client, shown[0]?.messageId ?? 0);
    shown.push(await nextText(client));
    await ticks();
    expect(client.waiting()).toBe(0);
    for (const { messageId } of shown.slice(1)) acknowledge(client, messageId);
    while (shown.length < 30) {
      const text = await nextText(client);
      shown.push(text);
      acknowledge(client, text.messageId);
    }
    expect(shown.map(({ text }) => Number(text))).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    await until(async () => (await waiting()) === 0);
  });

  it("takes a PUBACK out of order for its own text, and sends the texts before it again", async () => {
    const { port, login, send } = await withDevice();
    for (const text of ["one", "two", "three"]) await send(text);
    const client = await logIn(port, { ...login, version });
    await subscribe(client, to);
    await nextText(client);
    acknowledge(client, (await nextText(client)).messageId);
    client.send({ cmd: "pingreq" });
    expect((await nextText(client)).text).toBe("three");
    await client.next("pingresp");
    client.socket.destroy();
    const next = await logIn(port, { ...login, version });
    await subscribe(next, to);
    expect([(await nextText(next)).text, (await nextText(next)).text]).toEqual(["one", "three"]);
  });

  it("answers a ping only when the PUBACK before it is stored", async () => {
    const { client, clock, first, state } = await withUnstored(version);
    for (let second = 0; second < 20; second += 1) await clock.advance(1000);
    await ticks();
    expect(client.waiting()).toBe(0);
    state.isAway = false;
    await clock.advance(1000);
    await client.next("pingresp");
    client.socket.destroy();
    expect(await first()).toBe("two");
  });

  it("ends the connection after 30 seconds in which a PUBACK could not be stored, and publishes its text again", async () => {
    const { client, clock, first, state } = await withUnstored(version);
    for (let second = 0; second < 31; second += 1) await clock.advance(1000);
    if (version === 5) expect((await client.next("disconnect")).reasonCode).toBe(0x80);
    await client.closed;
    expect(client.waiting()).toBe(0);
    state.isAway = false;
    expect(await first()).toBe("one");
  });

  it("stores a PUBACK that could not be stored before after the end of the connection", async () => {
    const { client, clock, first, state, waiting } = await withUnstored(version);
    client.socket.destroy();
    await ticks(20);
    expect(await waiting()).toBe(2);
    state.isAway = false;
    await clock.advance(1000);
    await ticks(20);
    expect(await waiting()).toBe(1);
    expect(await first()).toBe("two");
  });

  it("stores a PUBACK that could not be stored before, before another connection takes over", async () => {
    const { first, state, waiting } = await withUnstored(version);
    expect(await waiting()).toBe(2);
    state.isAway = false;
    expect(await first()).toBe("two");
  });

  it("stores messages of a device, and answers when they are durable", async () => {
    const { port, login, said } = await withDevice();
    const client = await logIn(port, { ...login, version });
    await publish(client, from, "Grüße 你好");
    expect(await said()).toEqual(["Grüße 你好"]);
    client.send({ cmd: "publish", topic: from, payload: "quick", qos: 0, dup: false, retain: false });
    await until(async () => (await said()).length === 2);
  });

  it("counts a repeat with DUP once, over connections and restarts", async () => {
    const storage = createMemoryStorage();
    const { port, login, said } = await withDevice({ storage });
    const say = async (client: Client, payload: string, dup: boolean, messageId = 7) =>
      publish(client, from, payload, { dup, messageId });
    const first = await logIn(port, { ...login, version });
    await say(first, "a", false);
    first.socket.destroy();
    const second = await logIn(port, { ...login, version });
    await say(second, "a", true);
    expect(await said()).toEqual(["a"]);
    await say(second, "a", false);
    expect(await said()).toEqual(["a", "a"]);
    await say(second, "b", true);
    await say(second, "b", true);
    await say(second, "b", true, 8);
    expect(await said()).toEqual(["b", "b", "a", "a"]);
    const other = await logIn(port, { ...login, version, clientId: "other" });
    await say(other, "b", true);
    const unnamed = await logIn(port, { ...login, version, clientId: "" });
    await say(unnamed, "b", true);
    await say(unnamed, "b", true);
    expect((await said()).length).toBe(7);
  });

  it("lets a device continue over HTTP and back", async () => {
    const { port, login, send, poll } = await withDevice();
    const client = await logIn(port, { ...login, version });
    await subscribe(client, to);
    await send("over MQTT");
    acknowledge(client, (await nextText(client)).messageId);
    await send("lost");
    await nextText(client);
    client.socket.destroy();
    await until(async () => (await poll()).some(({ content }) => content === "lost"));
    await send("again over MQTT");
    const back = await logIn(port, { ...login, version });
    await subscribe(back, to);
    expect((await nextText(back)).text).toBe("again over MQTT");
  });
});

it("counts a repeat with DUP once for 24 hours", async () => {
  const clock = createManualClock();
  const { port, login, said } = await withDevice({ clock });
  const sayAgain = async (dup: boolean): Promise<number> => {
    await publish(await logIn(port, login), from, "a", { dup, messageId: 7 });
    return (await said()).length;
  };
  expect(await sayAgain(false)).toBe(1);
  await clock.advance(86_399_000);
  expect(await sayAgain(true)).toBe(1);
  await clock.advance(2000);
  expect(await sayAgain(true)).toBe(2);
});

it("uses the nonce of MQTT 5", async () => {
  const { port, login, said } = await withDevice();
  const client = await logIn(port, login);
  const properties = { userProperties: { nonce: "n1" } };
  expect(await publish(client, from, "a", { properties })).toBe(0);
  expect(await publish(client, from, "a", { properties })).toBe(0);
  expect(await publish(client, from, "b", { properties })).toBe(0x83);
  expect(await said()).toEqual(["a"]);
});

it("refuses texts that are empty, too long or not UTF-8", async () => {
  const { port, login, said } = await withDevice();
  const client = await logIn(port, login);
  expect(await publish(client, from, "")).toBe(0x99);
  expect(await publish(client, from, Buffer.from([0xff, 0xfe]))).toBe(0x99);
  expect(await publish(client, from, "x".repeat(2001))).toBe(0x99);
  expect(await publish(client, from, "😀".repeat(2000))).toBe(0);
  const old = await logIn(port, { ...login, version: 4, clientId: "old" });
  old.send({ cmd: "publish", topic: from, payload: "x".repeat(2001), qos: 1, messageId: 1, dup: false, retain: false });
  await old.closed;
  expect((await said()).length).toBe(1);
});

it("refuses to publish anywhere else", async () => {
  const { port, login, alice, person } = await withDevice();
  const bob = await person("Bob");
  const device = await logIn(port, login);
  for (const topic of ["telex/cellar/from", "telex/kitchen/to", "telex/kitchen/send", "other", "telex/+/from"]) {
    expect(await publish(device, topic, "x")).toBe(0x87);
  }
  const owner = await logIn(port, { username: "user", password: alice.token });
  for (const topic of [
    "telex/kitchen/from",
    "telex/kitchen/to",
    "telex/kitchen/status",
    "homeassistant/x",
    "telex/none/send",
  ]) {
    expect(await publish(owner, topic, "x")).toBe(0x87);
  }
  const stranger = await logIn(port, { username: "user", password: bob.token });
  expect(await publish(stranger, "telex/kitchen/send", "x")).toBe(0x87);
  const old = await logIn(port, { username: "user", password: bob.token, version: 4, clientId: "old" });
  old.send({ cmd: "publish", topic: "telex/kitchen/send", payload: "x", qos: 0, dup: false, retain: false });
  await old.closed;
});

it("lets owners send to their devices", async () => {
  const { port, login, alice } = await withDevice();
  const device = await logIn(port, login);
  await subscribe(device, to);
  const owner = await logIn(port, { username: "user", password: alice.token });
  expect(await publish(owner, "telex/kitchen/send", "hello")).toBe(0);
  expect((await nextText(device)).text).toBe("hello");
});

it("gives the queue to the newest connection, and ends a poll that waits", async () => {
  const { port, login, send, telex, caller } = await withDevice();
  const polled = telex.teleprinter.poll(caller, { deviceId: "kitchen", wait: 60 });
  await ticks();
  const first = await logIn(port, { ...login, clientId: "first" });
  await subscribe(first, to);
  expect(await polled).toEqual([]);
  const second = await logIn(port, { ...login, clientId: "second" });
  await send("held by the first");
  const { messageId } = await nextText(first);
  expect(messageId).toBe(1);
  await subscribe(second, to);
  expect((await first.next("disconnect")).reasonCode).toBe(0x8e);
  expect((await nextText(second)).text).toBe("held by the first");
});

it("does not publish an acknowledged text again after the subscription has ended and begun again", async () => {
  const { port, login, send } = await withDevice();
  const client = await logIn(port, login);
  await subscribe(client, to);
  await send("one");
  const one = await nextText(client);
  client.send({ cmd: "unsubscribe", messageId: 9, unsubscriptions: [to] });
  await client.next("unsuback");
  await send("two");
  await ticks();
  expect(client.waiting()).toBe(0);
  acknowledge(client, one.messageId);
  await ticks();
  await subscribe(client, to);
  expect((await nextText(client)).text).toBe("two");
});

it("publishes the will to from after an abnormal end, but not after DISCONNECT", async () => {
  const { port, login, said } = await withDevice();
  const will = { topic: from, payload: Buffer.from("I am gone"), qos: 1, retain: false } as const;
  const polite = await logIn(port, { ...login, will });
  polite.send({ cmd: "disconnect", reasonCode: 0 });
  await polite.closed;
  const rude = await logIn(port, { ...login, will });
  rude.socket.destroy();
  await until(async () => (await said()).length > 0);
  expect(await said()).toEqual(["I am gone"]);
});

it("is offline when the connection ends, unless it was heard in another way", async () => {
  const clock = createManualClock();
  const { port, login, telex, caller } = await withDevice({ clock });
  const isOnline = async () => (await telex.teleprinter.devices(caller, {}))[0]?.online;
  await clock.advance(91_000);
  expect(await isOnline()).toBe(false);
  const client = await logIn(port, login);
  expect((await telex.teleprinter.devices(caller, {}))[0]).toMatchObject({ online: true, transport: "mqtt" });
  await clock.advance(1);
  await subscribe(client, to);
  await clock.advance(1);
  await publish(client, from, "a sign of life");
  client.socket.destroy();
  await until(async () => (await isOnline()) === false);
  const second = await logIn(port, login);
  await clock.advance(10_000);
  await telex.teleprinter.heartbeat(caller, { deviceId: "kitchen" });
  await clock.advance(10_000);
  second.send({ cmd: "pingreq" });
  await second.next("pingresp");
  second.send({ cmd: "disconnect", reasonCode: 0 });
  await second.closed;
  await ticks();
  expect(await isOnline()).toBe(true);
});

/** A storage that holds back signs of life, once it is slow, until the test says so. */
function createSlow(clock: Clock) {
  const storage = createMemoryStorage({ clock });
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const state = { isSlow: false, signs: 0 };
  const touchDevice: typeof storage.teleprinter.touchDevice = async (asked) => {
    state.signs += Number(state.isSlow);
    if (state.isSlow) await promise;
    return storage.teleprinter.touchDevice(asked);
  };
  return { state, answer, storage: { ...storage, teleprinter: { ...storage.teleprinter, touchDevice } } };
}

it("does not queue signs of life while the storage is slow, and stops anyway", async () => {
  const clock = createManualClock();
  const { state, answer, storage } = createSlow(clock);
  const { port, login, mqtt } = await withDevice({ clock, storage });
  const client = await logIn(port, login);
  state.isSlow = true;
  for (let second = 0; second < 5; second += 1) {
    await clock.advance(1001);
    client.send({ cmd: "pingreq" });
    await client.next("pingresp");
  }
  const closing = mqtt.close(clock.now());
  await client.closed;
  await clock.advance(2001);
  await closing;
  answer();
  await ticks();
  expect(state.signs).toBe(1);
});

it("publishes the state of devices, retained messages first", async () => {
  const { port, login, alice, telex, person, caller: own } = await withDevice();
  const bob = await person("Bob");
  const stranger = await logIn(port, { username: "user", password: bob.token });
  await subscribe(stranger, "telex/+/status");
  const owner = await logIn(port, { username: "user", password: alice.token });
  expect(await subscribe(owner, "telex/+/status")).toBe(1);
  expect(await owner.next("publish")).toMatchObject({ topic: "telex/kitchen/status", retain: true, qos: 0 });
  const device = await logIn(port, login);
  expect(await publish(device, "telex/kitchen/status", "offline")).toBe(0);
  const gone = await owner.next("publish");
  expect([gone.payload.toString(), gone.retain]).toEqual(["offline", false]);
  device.send({ cmd: "pingreq" });
  await device.next("pingresp");
  expect((await telex.teleprinter.devices(own, {}))[0]?.online).toBe(false);
  await publish(device, "telex/kitchen/status", "online", { retain: true });
  const back = await owner.next("publish");
  expect([back.payload.toString(), back.retain]).toEqual(["online", false]);
  expect(await publish(device, "telex/kitchen/status", "elsewhere")).toBe(0x99);
  expect(stranger.waiting()).toBe(0);
});

it("publishes messages of devices to their owners, over any transport", async () => {
  const { port, alice, telex, caller } = await withDevice();
  const owner = await logIn(port, { username: "user", password: alice.token });
  await subscribe(owner, "telex/+/from");
  await telex.teleprinter.sync(caller, { deviceId: "kitchen", content: "over HTTP" });
  const { topic, payload, properties } = await owner.next("publish");
  expect([topic, payload.toString()]).toEqual([from, "over HTTP"]);
  expect(Object.keys(properties?.userProperties ?? {})).toEqual(["id", "createdAt"]);
});

it("refuses wills that are not the device's own", async () => {
  const { port, login, alice } = await withDevice();
  const will = (topic: string, payload = "x") =>
    ({ topic, payload: Buffer.from(payload), qos: 0, retain: true }) as const;
  const codes = [];
  for (const one of [will("telex/kitchen/status"), will(from), will("telex/cellar/from"), will("x"), will(from, "")]) {
    codes.push((await tryLogin(port, { ...login, will: one })).answer.reasonCode);
  }
  expect(codes).toEqual([0, 0, 0x87, 0x87, 0x99]);
  const owner = { username: "user", password: alice.token };
  expect((await tryLogin(port, { ...owner, will: will("telex/kitchen/send") })).answer.reasonCode).toBe(0x87);
  expect((await tryLogin(port, { ...owner, will: will("homeassistant/status") })).answer.reasonCode).toBe(0);
});
