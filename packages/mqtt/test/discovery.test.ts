import { ticks } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { parse } from "test-support/json";
import { type Client, logIn, startMqtt, subscribe } from "./harness.ts";

const topics = ["homeassistant/notify/telex_kitchen/config", "homeassistant/sensor/telex_kitchen/config"];

async function watched(version: 4 | 5 = 5) {
  const running = await startMqtt();
  const { telex, person, caller, port } = running;
  const alice = await person("Alice");
  const own = await caller(alice);
  const bob = await person("Bob");
  await telex.teleprinter.register(own, { deviceId: "kitchen", name: "Kitchen" });
  await telex.teleprinter.register(await caller(bob), { deviceId: "cellar", name: "Cellar" });
  const home = await logIn(port, { version, username: "user", password: alice.token });
  await subscribe(home, "homeassistant/#");
  return { ...running, own, bob, home };
}

/** The next two messages. */
async function nextPair(client: Client) {
  const [first, second] = [await client.next("publish"), await client.next("publish")];
  return {
    topics: [first.topic, second.topic],
    retained: [first.retain, second.retain],
    payloads: [first.payload.toString(), second.payload.toString()],
  };
}

describe.each([4, 5] as const)("discovery over MQTT %s", (version) => {
  it("publishes the retained configurations of the owner's devices", async () => {
    const { home } = await watched(version);
    const found = await nextPair(home);
    expect([found.topics, found.retained]).toEqual([topics, [true, true]]);
    expect(found.payloads.map((payload) => parse(payload))).toMatchObject([
      { unique_id: "telex_kitchen_notify", command_topic: "telex/kitchen/send", device: { name: "Kitchen" } },
      {
        unique_id: "telex_kitchen_sensor",
        state_topic: "telex/kitchen/from",
        value_template: "{{ value[:255] }}",
        availability_topic: "telex/kitchen/status",
        device: { name: "Kitchen" },
      },
    ]);
    await ticks();
    expect(home.waiting()).toBe(0);
  });

  it("publishes them again for a device that was renamed, and for a new one, and not when a device comes or goes", async () => {
    const { home, telex, own } = await watched(version);
    await nextPair(home);
    await telex.teleprinter.offline(own, { deviceId: "kitchen" });
    await telex.teleprinter.heartbeat(own, { deviceId: "kitchen" });
    await telex.teleprinter.rename(own, { deviceId: "kitchen", name: "Küche" });
    const renamed = await nextPair(home);
    expect([renamed.topics, renamed.retained]).toEqual([topics, [false, false]]);
    expect(parse(renamed.payloads[0] ?? "")).toMatchObject({ device: { name: "Küche" } });
    await telex.teleprinter.register(own, { deviceId: "attic", name: "Attic" });
    expect((await nextPair(home)).topics[0]).toBe("homeassistant/notify/telex_attic/config");
  });

  it("takes them back with empty messages when the device is unregistered", async () => {
    const { home, telex, own } = await watched(version);
    await nextPair(home);
    await telex.teleprinter.unregister(own, { deviceId: "kitchen" });
    const gone = await nextPair(home);
    expect([gone.topics, gone.payloads]).toEqual([topics, ["", ""]]);
    await telex.teleprinter.register(own, { deviceId: "kitchen", name: "Kitchen" });
    expect((await nextPair(home)).topics).toEqual(topics);
  });
});

it("publishes below another name, or nothing", async () => {
  for (const [discovery, expected] of [
    ["home", "home/notify/telex_kitchen/config"],
    ["", null],
  ] as const) {
    const { telex, person, caller, port } = await startMqtt({ mqtt: { discovery } });
    const alice = await person("Alice");
    await telex.teleprinter.register(await caller(alice), { deviceId: "kitchen", name: "Kitchen" });
    const home = await logIn(port, { username: "user", password: alice.token });
    expect(await subscribe(home, "homeassistant/#")).toBe(0x87);
    if (expected === null) continue;
    await subscribe(home, "home/#");
    expect((await home.next("publish")).topic).toBe(expected);
  }
});

it("publishes nothing about devices of other users", async () => {
  const { home, telex, caller, bob } = await watched();
  await nextPair(home);
  const other = await caller(bob);
  await telex.teleprinter.rename(other, { deviceId: "cellar", name: "Cave" });
  await telex.teleprinter.unregister(other, { deviceId: "cellar" });
  await ticks();
  expect(home.waiting()).toBe(0);
});
