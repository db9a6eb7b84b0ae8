import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createBroker, tryBroker } from "@telex/mqtt/broker";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "test-support/port";
import { runToSuccess } from "./support/run.ts";
import { startServer } from "./support/server.ts";

const password = "p@ss:w/rd";

async function isUp(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    return await new Promise((resolve) => {
      socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(50);
}

/** Mosquitto with a user for each client, which a test can kill and start again. */
async function startMosquitto() {
  const folder = await mkdtemp(join(tmpdir(), "telex-mosquitto-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const port = await freePort();
  const passwords = join(folder, "passwords");
  await writeFile(passwords, "");
  for (const name of ["telex", "device"]) await runToSuccess("mosquitto_passwd", ["-b", passwords, name, password]);
  const lines = [`listener ${port} 127.0.0.1`, "allow_anonymous false", `password_file ${passwords}`, "user root"];
  const config = join(folder, "mosquitto.conf");
  await writeFile(config, `${lines.join("\n")}\n`);
  let child: ChildProcess | null = null;
  const kill = async (): Promise<void> => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };
  const start = async (): Promise<void> => {
    child = spawn("mosquitto", ["-c", config], { stdio: "ignore" });
    await until(() => isUp(port));
  };
  onTestFinished(kill);
  await start();
  const client = ["-V", "5", "-h", "127.0.0.1", "-p", String(port), "-u", "device", "-P", password, "-q", "1"];
  return {
    url: `mqtt://telex:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    kill,
    start,
    publish: (topic: string, text: string, properties: Readonly<Record<string, string>>) => {
      const named = Object.entries(properties).flatMap(([name, value]) => [
        "-D",
        "publish",
        "user-property",
        name,
        value,
      ]);
      return runToSuccess("mosquitto_pub", [...client, "-t", topic, "-m", text, ...named]);
    },
    /** The output of a subscriber that ends after some messages. */
    subscribe: async (topic: string, count: number, ...more: readonly string[]) =>
      (await runToSuccess("mosquitto_sub", [...client, ...more, "-t", topic, "-C", String(count)])).trim(),
  };
}

async function startWithDevice(isTrusted: boolean) {
  const mosquitto = await startMosquitto();
  const server = await startServer({}, 1);
  const { telex, token } = server;
  const caller = await telex.authenticate(token);
  const device = { deviceId: "kitchen" };
  await telex.teleprinter.register(caller, { ...device, name: "Kitchen" });
  const broker = createBroker(telex, { url: mosquitto.url, isTrusted });
  onTestFinished(async () => {
    await broker.close();
    await server.close();
  });
  const texts = async () => (await telex.teleprinter.messages(caller, device)).messages;
  return {
    mosquitto,
    properties: isTrusted ? {} : { token },
    send: (content: string) => telex.teleprinter.send(caller, { ...device, content, title: "A title" }),
    said: async () =>
      (await texts()).filter(({ direction }) => direction === "from_device").map(({ content }) => content),
    waiting: async () => (await texts()).filter(({ delivered }) => delivered === 0).map(({ content }) => content),
    isThere: async () => (await telex.teleprinter.devices(caller, {}))[0]?.transport === "mqtt broker",
  };
}

it.each([false, true])("Mosquitto passes each text on, trusted: %s", async (isTrusted) => {
  const { mosquitto, properties, send, said, waiting, isThere } = await startWithDevice(isTrusted);
  await until(async () => {
    await mosquitto.publish("telex/kitchen/status", "online", properties);
    return isThere();
  });
  await send("nobody subscribes");
  await delay(200);
  expect(await waiting()).toEqual(["nobody subscribes"]);
  const taken = mosquitto.subscribe("telex/kitchen/to", 1, "-F", "%p %P");
  await until(async () => {
    await mosquitto.publish("telex/kitchen/status", "online", properties);
    return (await waiting()).length === 0;
  });
  expect(await taken).toMatch(/^nobody subscribes id:\d+ createdAt:\S+ title:A title$/);
  await mosquitto.publish("telex/kitchen/from", "Hello", properties);
  await until(async () => (await said()).length > 0);
  await mosquitto.publish("telex/kitchen/from", "not counted", { token: "x" });
  await mosquitto.publish("telex/kitchen/from", "Bye", properties);
  await until(async () => (await said()).length > 1);
  expect(await said()).toEqual(["Bye", "Hello"]);
  const discovery = await mosquitto.subscribe("homeassistant/#", 2, "-F", "%t %r");
  expect(discovery.split("\n").toSorted()).toEqual([
    "homeassistant/notify/telex_kitchen/config 1",
    "homeassistant/sensor/telex_kitchen/config 1",
  ]);
  expect(await mosquitto.subscribe("telex/kitchen/status", 1, "-F", "%p %r")).toBe("online 1");
});

it("Telex connects again after Mosquitto was killed, and keeps the texts until then", async () => {
  const { mosquitto, properties, send, waiting, isThere } = await startWithDevice(false);
  await tryBroker(mosquitto.url);
  await until(async () => {
    await mosquitto.publish("telex/kitchen/status", "online", properties);
    return isThere();
  });
  await mosquitto.kill();
  await send("kept");
  await delay(200);
  expect(await waiting()).toEqual(["kept"]);
  await mosquitto.start();
  expect(await mosquitto.subscribe("telex/kitchen/to", 1)).toBe("kept");
  await until(async () => (await waiting()).length === 0);
});
