import { operator } from "@telex/core";
import { createRateLimiter, type RateLimiter, unlimited } from "@telex/core/transport";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { generate } from "mqtt-packet";
import { describe, expect, it } from "vitest";
import { connectPacket, logIn, openRaw, publish, startMqtt, subscribe, tryLogin } from "./harness.ts";

const versions = [4, 5] as const;

async function withDevice(options: Parameters<typeof startMqtt>[0] = {}) {
  const running = await startMqtt(options);
  const alice = await running.person("Alice");
  const caller = await running.caller(alice);
  await running.telex.teleprinter.register(caller, { deviceId: "kitchen", name: "Kitchen" });
  const login = { username: "kitchen", password: alice.token };
  return { ...running, alice, caller, login };
}

describe.each(versions)("MQTT %s", (version) => {
  it("logs a device in with its own token, and with a token of its owner", async () => {
    const { port, alice, issue } = await withDevice();
    const own = await issue(alice, ["device:kitchen"]);
    for (const password of [own, alice.token]) {
      const { answer } = await tryLogin(port, { version, username: "kitchen", password, clientId: password.slice(-4) });
      expect(answer.reasonCode ?? answer.returnCode).toBe(0);
      expect(answer.sessionPresent).toBe(false);
    }
  });

  it("refuses a token that is not valid, is missing, or is for another device", async () => {
    const { port, alice, issue } = await withDevice();
    const other = await issue(alice, ["device:cellar"]);
    const refused = version === 5 ? 0x87 : 5;
    for (const password of ["wrong", "", other, await issue(alice, ["profile"])]) {
      const { client, answer } = await tryLogin(port, { version, username: "kitchen", password });
      expect(answer.reasonCode ?? answer.returnCode).toBe(refused);
      await client.closed;
    }
  });

  it("refuses a device without a token for it, also under the name of an owner", async () => {
    const { port, alice, issue } = await withDevice();
    const { answer } = await tryLogin(port, {
      version,
      username: "user",
      password: await issue(alice, ["device:kitchen"]),
    });
    expect(answer.reasonCode ?? answer.returnCode).toBe(version === 5 ? 0x87 : 5);
  });

  it("ignores a PUBACK of an owner, who gets no packets that need one", async () => {
    const { port, alice } = await withDevice();
    const client = await logIn(port, { version, username: "user", password: alice.token });
    client.send({ cmd: "puback", messageId: 1 });
    client.send({ cmd: "pingreq" });
    expect((await client.take()).cmd).toBe("pingresp");
  });

  it("grants a device its own topics only", async () => {
    const { port, login } = await withDevice();
    const client = await logIn(port, { ...login, version });
    expect(await subscribe(client, "telex/kitchen/to")).toBe(1);
    const failed = version === 5 ? 0x87 : 0x80;
    for (const topic of [
      "telex/cellar/to",
      "telex/kitchen/+",
      "telex/kitchen/from",
      "telex/#",
      "#",
      "+/kitchen/to",
      "other",
    ]) {
      expect(await subscribe(client, topic)).toBe(failed);
    }
  });

  it("grants an owner status and from of all devices, with wildcards", async () => {
    const { port, alice } = await withDevice();
    const client = await logIn(port, { version, username: "user", password: alice.token });
    const failed = version === 5 ? 0x87 : 0x80;
    for (const topic of ["telex/+/from", "telex/cellar/from", "homeassistant/#", "homeassistant/+/+/config"]) {
      expect(await subscribe(client, topic, 2)).toBe(1);
      while (client.waiting() > 0) await client.next("publish");
    }
    for (const topic of [
      "telex/kitchen/to",
      "telex/#",
      "telex/+/+",
      "#",
      "homeassistant",
      "telex/+/status/#",
      "a+/b",
    ]) {
      expect(await subscribe(client, topic)).toBe(failed);
    }
  });

  it("answers pings and DISCONNECT", async () => {
    const { port, login, telex, caller } = await withDevice({ clock: createManualClock() });
    const client = await logIn(port, { ...login, version });
    client.send({ cmd: "pingreq" });
    await client.next("pingresp");
    client.send({ cmd: "disconnect", reasonCode: 0 });
    await client.closed;
    expect((await telex.teleprinter.devices(caller, {}))[0]?.online).toBe(true);
  });

  it("closes a connection that is silent for one and a half keepalives", async () => {
    const clock = createManualClock();
    const { port, login } = await withDevice({ clock });
    const client = await logIn(port, { ...login, version, keepalive: 10 });
    await clock.advance(14_000);
    client.send({ cmd: "pingreq" });
    await client.next("pingresp");
    await clock.advance(14_999);
    expect(client.socket.readyState).toBe("open");
    await clock.advance(1);
    if (version === 5) expect((await client.next("disconnect")).reasonCode).toBe(0x8d);
    expect(await client.closed).toBe("closed");
  });

  it("closes a connection without a keepalive after 90 s of silence", async () => {
    const clock = createManualClock();
    const { port, login } = await withDevice({ clock });
    const client = await logIn(port, { ...login, version, keepalive: 0 });
    await clock.advance(89_999);
    expect(client.socket.readyState).toBe("open");
    await clock.advance(1);
    expect(await client.closed).toBe("closed");
  });

  it("closes a connection if a newer one has the same client identifier", async () => {
    const { port, login } = await withDevice();
    const first = await logIn(port, { ...login, version });
    await logIn(port, { ...login, version });
    if (version === 5) expect((await first.next("disconnect")).reasonCode).toBe(0x8e);
    expect(await first.closed).toBe("closed");
  });

  it("closes connections when a token ends, and when the server stops", async () => {
    const { port, login, telex, alice, mqtt } = await withDevice();
    const client = await logIn(port, { ...login, version });
    await telex.operator.tokens.revoke(operator, { token: alice.token });
    if (version === 5) expect((await client.next("disconnect")).reasonCode).toBe(0x87);
    await client.closed;
    await mqtt.close();
    expect(mqtt.size).toBe(0);
  });

  it("reports that the server stops", async () => {
    const { port, login, mqtt } = await withDevice();
    const client = await logIn(port, { ...login, version });
    const closing = mqtt.close();
    if (version === 5) expect((await client.next("disconnect")).reasonCode).toBe(0x8b);
    expect(await client.closed).toBe("closed");
    await closing;
  });

  it("refuses QoS 2, a second CONNECT, and packets that only servers send", async () => {
    const { port, login } = await withDevice();
    const publishOf2 = { cmd: "publish", topic: "telex/kitchen/from", payload: "x", qos: 2, messageId: 1 } as const;
    const cases = [
      [{ ...publishOf2, dup: false, retain: false }, 0x9b],
      [{ cmd: "connect", clientId: "x", protocolVersion: version, protocolId: "MQTT", clean: true }, 0x82],
      [{ cmd: "pubrel", messageId: 1 }, 0x82],
    ] as const;
    for (const [packet, reason] of cases) {
      const client = await logIn(port, { ...login, version });
      client.send(packet);
      if (version === 5) expect((await client.next("disconnect")).reasonCode).toBe(reason);
      expect(await client.closed).toBe("closed");
    }
  });
});

it("tells clients of MQTT 5 the limits of the server", async () => {
  const { port, login } = await withDevice();
  const { answer } = await tryLogin(port, { ...login, clientId: "", keepalive: 0 });
  expect(answer.properties).toMatchObject({
    maximumQoS: 1,
    maximumPacketSize: 262_144,
    sessionExpiryInterval: 0,
    serverKeepAlive: 60,
  });
  expect(answer.properties?.assignedClientIdentifier).toMatch(/^telex-/);
});

it("refuses other versions", async () => {
  const { port } = await startMqtt();
  for (const [version, code] of [
    [3, 1],
    [6, 0x84],
  ] as const) {
    const client = openRaw(port, version === 3 ? 4 : 5);
    const name = version === 3 ? "MQIsdp" : "MQTT";
    const body = Buffer.from([0, name.length, ...Buffer.from(name), version, 2, 0, 60, 0, 1, 0x61]);
    client.socket.write(Buffer.from([0x10, body.length, ...body]));
    const answer = await client.next("connack");
    expect(answer.reasonCode ?? answer.returnCode).toBe(code);
    await client.closed;
  }
});

it("refuses an empty client identifier with a session in MQTT 3.1.1", async () => {
  const { port, login } = await withDevice();
  const client = openRaw(port, 4);
  const bytes = generate(connectPacket({ ...login, version: 4, clientId: "" }));
  // The bit for a clean session.
  bytes.writeUInt8(bytes.readUInt8(9) & ~2, 9);
  client.socket.write(bytes);
  expect((await client.next("connack")).returnCode).toBe(2);
});

it("closes clients that send nothing, one byte, or another protocol", async () => {
  const clock = createManualClock();
  const { port, mqtt } = await startMqtt({ clock });
  const silent = [openRaw(port), openRaw(port), openRaw(port)];
  silent[1]?.socket.write(Buffer.from([0x10]));
  silent[2]?.socket.write(Buffer.from([0x10, 0xff, 0x7f, 0, 4]));
  const web = openRaw(port);
  web.socket.write("GET / HTTP/1.1\r\n\r\n");
  await web.closed;
  while (mqtt.size < 3) await ticks(1);
  await clock.advance(10_000);
  expect(await Promise.all(silent.map(({ closed }) => closed))).toEqual(["closed", "closed", "closed"]);
});

it("closes a connection whose packet is too large before the packet is complete", async () => {
  const { port, login } = await withDevice();
  const client = await logIn(port, login);
  client.socket.write(Buffer.from([0x32, 0xff, 0xff, 0x7f]));
  expect((await client.next("disconnect")).reasonCode).toBe(0x95);
  await client.closed;
});

it("limits the connections of an address and of a token", async () => {
  const { port, login, mqtt } = await withDevice({ mqtt: { socketsPerAddress: 3, socketsPerToken: 1 } });
  await logIn(port, { ...login, clientId: "a" });
  const { client, answer } = await tryLogin(port, { ...login, clientId: "b" });
  expect(answer.reasonCode).toBe(0x9f);
  await client.closed;
  openRaw(port);
  openRaw(port);
  while (mqtt.size < 3) await ticks(1);
  const fourth = openRaw(port);
  await fourth.closed;
});

it("slows a client down that sends more than its rate, and loses nothing", async () => {
  const clock = createManualClock();
  const rates = { token: { burst: 5, perMinute: 60 }, address: { burst: 100, perMinute: 100 } };
  const limiter: RateLimiter = createRateLimiter(rates, { clock, limits: { rateEntries: 10 } });
  const { port, login, telex, caller } = await withDevice({ clock, mqtt: { rateLimiter: limiter } });
  const client = await logIn(port, { ...login, keepalive: 60_000 });
  const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  for (const messageId of ids) {
    const packet = { cmd: "publish", topic: "telex/kitchen/from", payload: `${messageId}`, qos: 1 } as const;
    client.send({ ...packet, messageId, dup: false, retain: false });
  }
  for (const id of ids.slice(0, 4)) expect((await client.next("puback")).messageId).toBe(id);
  for (const id of ids.slice(4)) {
    expect(client.waiting()).toBe(0);
    await clock.advance(1000);
    expect((await client.next("puback")).messageId).toBe(id);
  }
  const { messages } = await telex.teleprinter.messages(caller, { deviceId: "kitchen" });
  expect(messages.map(({ content }) => content).toReversed()).toEqual(ids.map(String));
});

it("handles a part of the packets that a client sends together in each tick", async () => {
  const handledIn: number[] = [];
  let handled = 0;
  const count: RateLimiter["count"] = (...call) => {
    if (handled === 0)
      setImmediate(() => {
        handledIn.push(handled);
        handled = 0;
      });
    handled += 1;
    return unlimited.count(...call);
  };
  const { port, login } = await withDevice({ mqtt: { rateLimiter: { ...unlimited, count } } });
  const client = await logIn(port, login);
  const pingreq = [0xc0, 0];
  client.socket.write(Buffer.from(Array.from({ length: 1000 }, () => pingreq).flat()));
  for (let answer = 0; answer < 1000; answer += 1) await client.next("pingresp");
  expect(Math.max(...handledIn)).toBeLessThan(200);
});

it("closes a reader that reads nothing", async () => {
  const { port, alice, login, log } = await withDevice({ mqtt: { limits: { outputWaiting: 64 * 1024 } } });
  const slow = await logIn(port, { username: "user", password: alice.token, clientId: "slow" });
  expect(await subscribe(slow, "telex/+/from")).toBe(1);
  slow.socket.pause();
  const device = await logIn(port, login);
  const text = "x".repeat(2000);
  const isClosed = () => log.lines.some((line) => line.includes("mqtt.too_slow"));
  while (!isClosed()) expect(await publish(device, "telex/kitchen/from", text)).toBe(0);
});
