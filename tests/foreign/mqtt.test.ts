import { createMqtt } from "@telex/mqtt";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { runToSuccess } from "./support/run.ts";
import { startServer } from "./support/server.ts";

/** A server with MQTT, a device `kitchen`, and the clients of Mosquitto. */
async function startMqtt(version: string) {
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
  const as = (user: string) => ["-V", version, "-h", "127.0.0.1", "-p", String(port), "-u", user, "-P", token];
  return {
    send: async (content: string) => void (await telex.teleprinter.send(caller, { ...device, content })),
    said: async () => {
      const { messages } = await telex.teleprinter.messages(caller, device);
      return messages.filter(({ direction }) => direction === "from_device").map(({ content }) => content);
    },
    /** The output of a subscriber that ends after some messages. */
    subscribe: async (user: string, topic: string, count: number) =>
      (await runToSuccess("mosquitto_sub", [...as(user), "-q", "1", "-v", "-t", topic, "-C", String(count)])).trim(),
    publish: async (user: string, topic: string, text: string) =>
      await runToSuccess("mosquitto_pub", [...as(user), "-q", "1", "-t", topic, "-m", text]),
  };
}

it.each(["mqttv311", "mqttv5"])("the clients of Mosquitto get and send each text once with %s", async (version) => {
  const { send, said, subscribe, publish } = await startMqtt(version);
  await send("one");
  await send("茶 two");
  expect(await subscribe("kitchen", "telex/kitchen/to", 2)).toBe("telex/kitchen/to one\ntelex/kitchen/to 茶 two");
  await publish("user", "telex/kitchen/send", "three");
  expect(await subscribe("kitchen", "telex/kitchen/to", 1)).toBe("telex/kitchen/to three");
  await publish("kitchen", "telex/kitchen/from", "Hello");
  expect(await said()).toEqual(["Hello"]);
});

const config = z.object({ unique_id: z.string(), command_topic: z.string().optional() });

it("mosquitto_sub prints what Home Assistant discovers", async () => {
  const { subscribe } = await startMqtt("mqttv5");
  const lines = (await subscribe("user", "homeassistant/#", 2)).split("\n");
  const found = lines.map((line) => config.parse(JSON.parse(line.slice(line.indexOf(" ") + 1))));
  expect(found).toEqual([
    { unique_id: "telex_kitchen_notify", command_topic: "telex/kitchen/send" },
    { unique_id: "telex_kitchen_sensor" },
  ]);
});
