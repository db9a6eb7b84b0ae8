import { createMemoryBlobs } from "@telex/blobs/memory";
import { createManualClock, createScene, type ManualClock, ticks, until } from "@telex/conformance/testing";
import type { DeviceMessageView, Storage } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "test-support/json";
import { createBroker, tryBroker } from "../src/broker/index.ts";
import { logIn, subscribe, withDevice } from "./harness.ts";
import { createInstallation } from "./installation.ts";
import { startPlainBroker } from "./plain-broker.ts";

type PlainBroker = Awaited<ReturnType<typeof startPlainBroker>>;

const images = createSharpEngine();

interface Shared {
  readonly storage?: Storage;
  readonly clock?: ManualClock;
}

async function startServer(plain: PlainBroker, isTrusted: boolean, shared: Shared = {}) {
  const clock = createManualClock();
  const parts = { storage: createMemoryStorage({ clock }), clock, ...shared };
  // The broker outlives the server.
  const storage = { ...parts.storage, close: () => Promise.resolve() };
  const scene = await createScene({ blobs: createMemoryBlobs(), images, ...parts, storage });
  const { telex } = scene;
  const url = plain.url.replace("//", "//telex:s3cret@");
  const broker = createBroker(telex, { url, isTrusted });
  const close = async (): Promise<void> => {
    await broker.close();
    await telex.close();
  };
  onTestFinished(close);
  return { ...scene, clock: parts.clock, storage: parts.storage, close, url };
}

type Started = Awaited<ReturnType<typeof startServer>>;

const deviceId = "kitchen";
const to = "telex/kitchen/to";
const from = "telex/kitchen/from";
const status = "telex/kitchen/status";

/** A server that is connected to a broker, and a device. */
async function start({ isTrusted = false } = {}) {
  const plain = await startPlainBroker();
  const server = await startServer(plain, isTrusted);
  const alice = await server.person("Alice");
  const caller = await server.caller(alice);
  await server.telex.teleprinter.register(caller, { deviceId, name: "Kitchen" });
  await until(() => plain.connected().includes("telex") && plain.subscribers("telex/+/send") === 1);
  await ticks();
  return {
    plain,
    ...server,
    ...tools(server, caller),
    alice,
    caller,
    callerOf: server.caller,
    token: { token: alice.token },
  };
}

const tools = ({ telex }: Pick<Started, "telex">, caller: Awaited<ReturnType<Started["caller"]>>) => {
  const texts = async (): Promise<readonly DeviceMessageView[]> =>
    (await telex.teleprinter.messages(caller, { deviceId, pageSize: 100 })).messages;
  return {
    texts,
    said: async () =>
      (await texts()).filter(({ direction }) => direction === "from_device").map(({ content }) => content),
    waiting: async () => (await texts()).filter(({ delivered }) => delivered === 0).map(({ content }) => content),
    send: (content: string, fields: object = {}) => telex.teleprinter.send(caller, { deviceId, content, ...fields }),
    device: async () => (await telex.teleprinter.devices(caller, {}))[0],
  };
};

/** A client of the broker that receives the texts of the device and acknowledges them. */
async function listen(plain: PlainBroker, topic = to) {
  const client = await logIn(plain.port, { username: "x", password: "x", clientId: `client of ${topic}` });
  await subscribe(client, topic);
  return {
    client,
    next: async () => {
      const packet = await client.next("publish");
      if (packet.qos === 1) client.send({ cmd: "puback", messageId: packet.messageId ?? 0 });
      return packet;
    },
  };
}

const settled = (plain: PlainBroker) => until(() => plain.unacknowledged("telex") === 0);

describe("a message of a device at the broker", () => {
  it("counts with a token that permits it, but not without one or with another one", async () => {
    const { plain, said, token, person, log } = await start();
    const bob = await person("Bob");
    plain.publish(from, "no token");
    plain.publish(from, "wrong token", { token: "x" });
    plain.publish(from, "token of another user", { token: bob.token });
    plain.publish(from, "right", token);
    plain.publish("telex/none/from", "no such device", token);
    plain.publish("telex/kitchen/other", "no such topic", token);
    await settled(plain);
    await until(async () => (await said()).length > 0);
    expect(await said()).toEqual(["right"]);
    expect(JSON.stringify(log.lines)).not.toContain(bob.token);
  });

  it("counts without a token if the broker is trusted", async () => {
    const { plain, said, waiting } = await start({ isTrusted: true });
    plain.publish(from, "trusted");
    plain.publish("telex/kitchen/send", "to it", { title: "T", priority: "4" });
    plain.publish("telex/none/from", "no such device");
    await settled(plain);
    await until(async () => (await said()).length === 1 && (await waiting()).length === 1);
    expect([await said(), await waiting()]).toEqual([["trusted"], ["to it"]]);
  });

  it("counts once with a nonce, and when the broker passes it on again", async () => {
    const { plain, said, token, clock } = await start();
    plain.publish(from, "a", { ...token, nonce: "1" });
    plain.publish(from, "a", { ...token, nonce: "1" });
    plain.publish(from, "b", token);
    await until(async () => (await said()).length === 2);
    await settled(plain);
    plain.cut();
    await until(async () => {
      await clock.advance(1000);
      return plain.connected().includes("telex");
    });
    plain.publish(from, "c", token);
    await until(async () => (await said()).length === 3);
    expect(await said()).toEqual(["c", "b", "a"]);
  });

  it("tells that the device is online or offline", async () => {
    const { plain, token, device, clock } = await start();
    for (let second = 0; second < 91; second += 1) await clock.advance(1000);
    plain.publish(status, "online");
    await settled(plain);
    expect((await device())?.online).toBe(false);
    plain.publish(status, "online", token);
    await until(async () => (await device())?.online === true);
    expect((await device())?.transport).toBe("mqtt broker");
    plain.publish(status, "offline", token);
    await until(async () => (await device())?.online === false);
  });
});

describe("a text for a device", () => {
  it("waits in Telex until the device has come over the broker, and is delivered with the broker's PUBACK", async () => {
    const { plain, send, waiting, token, clock } = await start();
    const device = await listen(plain);
    await send("one", { title: "T", life: 60 });
    await ticks();
    expect(device.client.waiting()).toBe(0);
    plain.hold(true);
    plain.publish(status, "online", token);
    const { payload, properties } = await device.next();
    expect([payload.toString(), properties?.userProperties?.["title"], properties?.messageExpiryInterval]).toEqual([
      "one",
      "T",
      60,
    ]);
    expect(await waiting()).toEqual(["one"]);
    plain.hold(false);
    await until(async () => (await waiting()).length === 0);
    await clock.advance(1);
  });

  it("stays in the queue without a subscriber, and is published again later, or when the device connects", async () => {
    const { plain, send, waiting, token, clock } = await start();
    plain.publish(status, "online", token);
    await settled(plain);
    await send("kept");
    const published = () => plain.published.filter(({ topic }) => topic === to).length;
    await until(() => published() === 1);
    await ticks();
    expect(await waiting()).toEqual(["kept"]);
    await until(async () => {
      await clock.advance(1000);
      return published() === 2;
    });
    const device = await listen(plain);
    plain.publish(status, "online", token);
    expect((await device.next()).payload.toString()).toBe("kept");
    await until(async () => (await waiting()).length === 0);
  });

  it("is published again after a connection that was lost before the PUBACK, unless it has expired", async () => {
    const { plain, send, waiting, token, clock } = await start();
    const device = await listen(plain);
    plain.publish(status, "online", token);
    await settled(plain);
    plain.hold(true);
    await send("lasting");
    await send("short", { life: 5 });
    expect([(await device.next()).payload.toString(), (await device.next()).payload.toString()]).toEqual([
      "lasting",
      "short",
    ]);
    plain.cut();
    plain.hold(false);
    await clock.advance(6000);
    const back = await listen(plain);
    await until(async () => {
      await clock.advance(1000);
      return (await waiting()).length === 1;
    });
    expect((await back.next()).payload.toString()).toBe("lasting");
    expect(plain.published.filter(({ topic }) => topic === to).map(({ payload }) => payload.toString())).toEqual([
      "lasting",
      "short",
      "lasting",
    ]);
  });

  it("goes to a poll once the device polls, and to the broker again when it comes over it", async () => {
    const { plain, send, waiting, token, telex, caller, device } = await start();
    const client = await listen(plain);
    plain.publish(status, "online", token);
    await settled(plain);
    await send("over the broker");
    expect((await client.next()).payload.toString()).toBe("over the broker");
    await until(async () => (await waiting()).length === 0);
    const polled = telex.teleprinter.poll(caller, { deviceId, wait: 30 });
    await ticks();
    await send("over HTTP");
    expect((await polled).map(({ content }) => content)).toEqual(["over HTTP"]);
    await until(async () => (await device())?.transport === "http");
    await send("waits");
    await ticks();
    expect(client.client.waiting()).toBe(0);
    plain.publish(from, "back", token);
    expect((await client.next()).payload.toString()).toBe("waits");
  });
});

describe("at the broker", () => {
  it("the state, texts and configuration are published of devices that came over it, and end with them", async () => {
    const { plain, token, telex, caller } = await start();
    await telex.teleprinter.register(caller, { deviceId: "cellar", name: "Cellar" });
    const client = await listen(plain, "telex/+/from");
    plain.publish(from, "said over the broker", token);
    await until(() => plain.retained.get(status) === "online");
    await telex.teleprinter.sync(caller, { deviceId, content: "said over HTTP" });
    await telex.teleprinter.sync(caller, { deviceId: "cellar", content: "not at the broker" });
    const seen = [await client.next(), await client.next()].map(({ payload }) => payload.toString());
    expect(seen).toEqual(["said over the broker", "said over HTTP"]);
    await ticks();
    expect(client.client.waiting()).toBe(0);
    expect([...plain.retained.keys()].toSorted()).toEqual([
      "homeassistant/notify/telex_kitchen/config",
      "homeassistant/sensor/telex_kitchen/config",
      status,
    ]);
    expect(parse(plain.retained.get("homeassistant/sensor/telex_kitchen/config") ?? "")).toMatchObject({
      availability_topic: status,
    });
    await telex.teleprinter.unregister(caller, { deviceId });
    await until(() => [...plain.retained.values()].every((payload) => payload === ""));
  });

  it("all devices are published if it is trusted, also those of later users", async () => {
    const { plain, telex, person, callerOf, clock } = await start({ isTrusted: true });
    const bob = await callerOf(await person("Bob"));
    await until(async () => {
      await clock.advance(1000);
      await telex.teleprinter.register(bob, { deviceId: "attic", name: "Attic" });
      return plain.retained.has("telex/attic/status");
    });
    expect(plain.retained.get("telex/attic/status")).toBe("online");
  });

  it("nothing counts that another server of Telex has published", async () => {
    const { plain, said, token } = await start();
    plain.publish(from, "mirrored", { ...token, origin: "telex" });
    plain.publish(from, "real", token);
    await until(async () => (await said()).length === 1);
    expect(await said()).toEqual(["real"]);
  });
});

it("a restart delivers later texts to a device that only listens, and messages that arrived during the restart", async () => {
  const { plain, storage, close, token, alice, clock } = await start();
  const client = await listen(plain);
  plain.publish(status, "online", token);
  await settled(plain);
  await close();
  plain.publish(from, "while Telex was away", token);
  const next = await startServer(plain, false, { storage, clock });
  const own = tools(next, await next.caller(alice));
  await until(async () => (await own.said()).length === 1);
  await own.send("after the restart");
  expect((await client.next()).payload.toString()).toBe("after the restart");
});

it("of two servers one is connected, and no text is lost if that one is killed", async () => {
  const plain = await startPlainBroker();
  const { a, b, token, caller, pass } = await createInstallation((telex) => createBroker(telex, { url: plain.url }));
  onTestFinished(async () => void (await Promise.all([a, b].map((server) => server.close()))));
  await until(() => plain.subscribers("telex/+/send") === 1);
  const client = await listen(plain);
  plain.publish(status, "online", { token });
  await settled(plain);
  await b.telex.teleprinter.send(caller, { deviceId, content: "one" });
  expect((await client.next()).payload.toString()).toBe("one");
  plain.hold(true);
  await b.telex.teleprinter.send(caller, { deviceId, content: "two" });
  expect((await client.next()).payload.toString()).toBe("two");
  expect(plain.connected().filter((id) => id === "telex")).toEqual(["telex"]);
  a.kill();
  plain.publish(from, "while no server was there", { token });
  plain.cut();
  plain.hold(false);
  const back = await listen(plain);
  // The lease of the killed server ends.
  for (let second = 0; second < 60; second += 1) await pass(1);
  expect((await back.next()).payload.toString()).toBe("two");
  const { messages } = await b.telex.teleprinter.messages(caller, { deviceId });
  expect(messages.filter(({ direction }) => direction === "from_device").map(({ content }) => content)).toEqual([
    "while no server was there",
  ]);
});

it("a broker that is away is asked again, and the log names neither its user nor the password", async () => {
  const { log, plain, clock, said, token } = await start();
  plain.stop();
  await until(async () => {
    await clock.advance(1000);
    return log.lines.some((line) => line.includes("mqtt.broker_unreachable"));
  });
  await plain.restart();
  await until(async () => {
    await clock.advance(1000);
    return plain.connected().includes("telex");
  });
  plain.publish(from, "back", token);
  await until(async () => (await said()).includes("back"));
  expect(plain.logins.at(-1)).toEqual(["telex", "s3cret"]);
  expect(log.lines.join()).not.toContain("s3cret");
});

it("tries a broker for doctor, whose password is in no error", async () => {
  const { port, alice } = await withDevice();
  await tryBroker(`mqtt://user:${alice.token}@127.0.0.1:${port}`);
  const wrong = await tryBroker(`mqtt://user:hidden@127.0.0.1:${port}`).catch(String);
  expect(wrong).toBe("Error: Connection refused: Not authorized");
  const stopped = await startPlainBroker();
  stopped.stop();
  expect(await tryBroker(stopped.url.replace("//", "//user:hidden@")).catch(String)).toBe("Error: ECONNREFUSED");
});
