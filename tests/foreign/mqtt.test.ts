import { createMqtt } from "@telex/mqtt";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { parseJson } from "@telex/core/transport";
import { goProgram } from "./support/go.ts";
import { pythonProgram } from "./support/python.ts";
import { runToSuccess } from "./support/run.ts";
import { startServer } from "./support/server.ts";

/** A server with MQTT, a device `kitchen`, and the clients of Mosquitto. */
async function startMqtt(version = "mqttv5") {
  const server = await startServer({}, 1);
  const { telex, token } = server;
  const mqtt = createMqtt(telex);
  const port = await mqtt.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await mqtt.close();
    await server.close();
  });
  const caller = await telex.authenticate(token);
  const device = { deviceId: "kitchen" };
  await telex.teleprinter.register(caller, { ...device, name: "Kitchen" });
  // Registering is a sign of life, which would keep the device online after its connection.
  await telex.teleprinter.offline(caller, device);
  const as = (user: string) => ["-V", version, "-h", "127.0.0.1", "-p", String(port), "-u", user, "-P", token];
  const texts = async () => (await telex.teleprinter.messages(caller, device)).messages;
  return {
    port,
    token,
    send: async (content: string) => void (await telex.teleprinter.send(caller, { ...device, content })),
    said: async () =>
      (await texts()).filter(({ direction }) => direction === "from_device").map(({ content }) => content),
    waiting: async () => (await texts()).filter(({ delivered }) => delivered === 0).length,
    /** The output of a subscriber that ends after some messages. */
    subscribe: async (user: string, topic: string, count: number, ...more: readonly string[]) =>
      (await runToSuccess("mosquitto_sub", [...as(user), "-q", "1", ...more, "-t", topic, "-C", String(count)])).trim(),
    publish: async (user: string, topic: string, text: string) =>
      await runToSuccess("mosquitto_pub", [...as(user), "-q", "1", "-t", topic, "-m", text]),
  };
}

it.each(["mqttv311", "mqttv5"])("the clients of Mosquitto get and send each text once with %s", async (version) => {
  const { send, said, subscribe, publish } = await startMqtt(version);
  await send("one");
  await send("茶 two");
  expect(await subscribe("kitchen", "telex/kitchen/to", 2, "-v")).toBe("telex/kitchen/to one\ntelex/kitchen/to 茶 two");
  await publish("user", "telex/kitchen/send", "three");
  expect(await subscribe("kitchen", "telex/kitchen/to", 1)).toBe("three");
  await publish("kitchen", "telex/kitchen/from", "Hello");
  expect(await said()).toEqual(["Hello"]);
});

const programs = {
  "paho-mqtt": [pythonProgram("python"), "mqtt-python/paho_client.py"],
  aiomqtt: [pythonProgram("python"), "mqtt-python/aio_client.py"],
  "Eclipse Paho for Go": [goProgram("mqtt-go")],
} as const;

const seen = z.strictObject({
  granted: z.int(),
  texts: z.array(z.string()),
  states: z.array(z.tuple([z.string(), z.string(), z.boolean()])),
});

it.each(
  Object.entries(programs).flatMap(([name, [program, ...args]]) => [
    { name, protocol: 4, program, args },
    { name, protocol: 5, program, args },
  ]),
)("$name gets and sends each text once with protocol $protocol", async ({ program, args, protocol }) => {
  const { port, token, send, said, waiting } = await startMqtt();
  await send("one");
  await send("茶 two");
  const output = await runToSuccess(program, [...args, String(port), token, String(protocol)], {
    cwd: import.meta.dirname,
  });
  const status = "telex/kitchen/status";
  expect(seen.parse(parseJson(output))).toEqual({
    granted: 1,
    texts: ["one", "茶 two", "three"],
    states: [
      [status, "online", true],
      [status, "offline", false],
    ],
  });
  expect(await said()).toEqual(["Hello"]);
  expect(await waiting()).toBe(0);
});

const keysOf = (config: string): readonly string[] =>
  Object.keys(z.record(z.string(), z.unknown()).parse(parseJson(config))).toSorted();

it("Home Assistant's schemas take every key of what mosquitto_sub prints of the discovery", async () => {
  const { subscribe } = await startMqtt();
  const lines = (await subscribe("user", "homeassistant/#", 2, "-v")).split("\n");
  const found = lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const);
  expect(found.map(([topic]) => topic)).toEqual([
    "homeassistant/notify/telex_kitchen/config",
    "homeassistant/sensor/telex_kitchen/config",
  ]);
  const input = JSON.stringify(Object.fromEntries(found.map(([topic, config]) => [topic, parseJson(config)])));
  const check = [pythonProgram("python", "home-assistant"), "home-assistant/check.py"] as const;
  const taken = await runToSuccess(check[0], [check[1]], { cwd: import.meta.dirname, input });
  expect(parseJson(taken)).toEqual(Object.fromEntries(found.map(([topic, config]) => [topic, keysOf(config)])));
});
