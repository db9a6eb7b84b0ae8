/**
 * Measures texts to a connected device over MQTT, on Telex and on Mosquitto in turns, and the memory of idle connections of devices:
 * `node bench/mqtt.ts [--turns 7] [--texts 1500] [--idle 5000]`, after `npm run build`. Both servers stay running on the first core. Prints
 * medians and ranges, and the load of the machine. Mosquitto acknowledges before anything is on the disk.
 */
import { mkdir } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type Broker, openMqtt, sendThrough } from "./lib/mqtt-load.ts";
import { cpuOf, run, type Running, serverCore, withFolder } from "./lib/process.ts";
import { median } from "./lib/statistics.ts";
import { hasMosquitto, startMosquitto } from "./peers/mosquitto.ts";

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "7" },
    texts: { type: "string", default: "1500" },
    idle: { type: "string", default: "5000" },
  },
});
const [turns, texts, idle] = [Number(values.turns), Number(values.texts), Number(values.idle)];
/** Connections before the memory is measured for the first time. */
const few = 200;

const telexProgram = new URL("servers/telex.ts", import.meta.url).pathname;
const ready = z.object({ port: z.int(), mqttPort: z.int(), tokens: z.tuple([z.string()], z.string()) });

/** Registers a device with the token of its owner. */
async function register({ port, tokens: [token] }: z.output<typeof ready>, deviceId: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/external/api/v1/teleprinter/register`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ deviceId, name: "Bench" }),
  });
  if (response.status !== 200) throw new Error(`register: ${response.status} ${await response.text()}`);
}

const figures = new Map<string, number[]>();

async function measure(name: string, broker: Broker, cpu: () => Promise<number>): Promise<void> {
  for (const inFlight of [1, 32]) {
    const before = await cpu();
    const sent = await sendThrough(broker, texts, inFlight);
    const used = { "CPU µs/text": (((await cpu()) - before) * 1e6) / texts };
    for (const [figure, value] of Object.entries({ ...sent, ...used })) {
      const key = `${name}, ${inFlight} in flight: ${figure}`;
      figures.set(key, [...(figures.get(key) ?? []), value]);
    }
  }
}

const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** KiB of resident memory of each connection of a device that is idle. */
async function measureIdle(server: Running, given: z.output<typeof ready>): Promise<number> {
  const open = async (from: number, to: number): Promise<void> => {
    for (let index = from; index < to; index += 1) {
      const { socket } = await openMqtt(given.mqttPort, `idle-${index}`, {
        username: "bench",
        password: given.tokens[0],
      });
      socket.unref();
    }
    await server.collect();
  };
  await open(0, few);
  const before = (await server.memory()).now;
  await open(few, idle);
  return (((await server.memory()).now - before) * 1024) / (idle - few);
}

await withFolder(async (folder) => {
  const home = join(folder, "telex");
  await mkdir(home);
  const server = await run(telexProgram, [home, "--mqtt"], serverCore);
  const mosquitto = hasMosquitto() ? await startMosquitto(folder) : null;
  const given = ready.parse(server.ready);
  await register(given, "bench");
  const [password] = given.tokens;
  const own = { sender: { username: "user", password }, device: { username: "bench", password } };
  const telex: Broker = { port: given.mqttPort, ...own, send: "telex/bench/send", to: "telex/bench/to" };
  const peer = { sender: {}, device: {}, send: "device/in", to: "device/in" };
  console.log(`load ${loadavg()[0]?.toFixed(1)} at the start`);
  // The first turn warms both up.
  for (let turn = -1; turn < turns; turn += 1) {
    if (turn === 0) figures.clear();
    await measure("Telex", telex, () => server.cpu());
    if (mosquitto !== null) await measure("Mosquitto", { port: mosquitto.port, ...peer }, () => cpuOf(mosquitto.pid));
  }
  for (const [name, all] of figures) {
    console.log(`${name}: ${shown(median(all))} (${shown(Math.min(...all))}-${shown(Math.max(...all))})`);
  }
  if (idle > few)
    console.log(`${(await measureIdle(server, given)).toFixed(1)} KiB resident per idle connection of ${idle}`);
  console.log(`load ${loadavg()[0]?.toFixed(1)} at the end`);
  await mosquitto?.stop();
  await server.stop();
});
process.exit(0);
