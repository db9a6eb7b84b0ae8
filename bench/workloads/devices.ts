import { once } from "node:events";
import type { Socket } from "node:net";
import { openBareSocket } from "../lib/bare-socket.ts";
import { load, requestBytes } from "../lib/http-load.ts";
import { coldRequests, type Done, measurePhases } from "../lib/phases.ts";
import { type Running, withFolder } from "../lib/process.ts";
import { runTelex } from "../lib/room-servers.ts";
import { percentile } from "../lib/statistics.ts";
import { type Measurement, type Subject, warmRequests, type Workload } from "../lib/workload.ts";

const prefix = "/external/api/v1/teleprinter";
const ping = Buffer.from([0x89, 0]);
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/** A command without fields, as a frame that is masked with zeros. */
function frameOf(command: string): Buffer {
  const text = Buffer.from(JSON.stringify({ identifier: 1, command }));
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
}

const [heartbeat, offline] = [frameOf("heartbeat"), frameOf("offline")];

/** Devices that are connected before the memory of the others is measured. */
const few = 100;
/** Heartbeats in flight, over all devices. */
const inFlight = 32;
const measuredHeartbeats = 10_000;

async function open(port: number, token: string, deviceId: string): Promise<Socket> {
  const socket = await openBareSocket(port, `${prefix}/webSocket/${token}?deviceId=${deviceId}&ack=1`);
  return socket.on("data", (chunk: Buffer) => {
    if (chunk.includes(ping)) socket.write(pong);
  });
}

/** Resolves when the device has received a result with this name. A ping may precede it. */
async function untilAnswered(socket: Socket, result: string): Promise<void> {
  let text = "";
  while (!text.includes(result)) text += String(await once(socket, "data"));
  if (!text.includes('"code":200')) throw new Error(`A device received ${text}`);
}

/** Sends heartbeats of these devices in turns, one at a time, and adds the milliseconds of each. */
async function beatInTurns(sockets: readonly Socket[], total: number, times: number[]): Promise<void> {
  for (let sent = 0; sent < total; sent += 1) {
    const socket = sockets[sent % sockets.length];
    if (socket === undefined) return;
    const begun = performance.now();
    socket.write(heartbeat);
    await untilAnswered(socket, "HeartbeatResult");
    times.push(performance.now() - begun);
  }
}

/** Sends heartbeats of these devices, each from a device that waits for no other result. */
async function beatAll(sockets: readonly Socket[], total: number): Promise<Done> {
  const times: number[] = [];
  const groups = Array.from({ length: inFlight }, (_, first) =>
    sockets.filter((_socket, index) => index % inFlight === first),
  );
  await Promise.all(groups.map((group) => beatInTurns(group, total / inFlight, times)));
  return { count: times.length, p99: percentile(times, 0.99) };
}

async function onlineOf(port: number, token: string): Promise<number> {
  let online = 0;
  const bytes = requestBytes("GET", `${prefix}/devices`, token);
  await load(port, {
    connections: 1,
    total: 1,
    next: () => bytes,
    check(body) {
      online = body.toString().split('"online":true').length - 1;
      return true;
    },
  });
  return online;
}

/** The devices of one server. */
interface Devices {
  readonly server: Running;
  readonly port: number;
  readonly token: string;
  readonly sockets: Socket[];
}

/** Connects devices until this many are connected. */
async function connectUntil({ port, token, sockets }: Devices, count: number): Promise<void> {
  while (sockets.length < count) sockets.push(await open(port, token, `d${sockets.length}`));
}

/** Connects the other devices, and returns the resident memory then and of each of them. */
async function connectRest(devices: Devices, count: number): Promise<Measurement> {
  const before = (await devices.server.memory()).now;
  const added = count - devices.sockets.length;
  await connectUntil(devices, count);
  const { now } = await devices.server.memory();
  return { MiB: now, "KiB/device": ((now - before) * 1024) / added };
}

/** Takes half of the devices offline, and checks that the server knows which of them are online. A pong would bring a device back. */
async function checkPresence({ port, token, sockets }: Devices): Promise<number> {
  const all = await onlineOf(port, token);
  const leaving = sockets.slice(0, sockets.length / 2);
  for (const socket of leaving) socket.removeAllListeners("data");
  for (const socket of leaving) socket.write(offline);
  await Promise.all(leaving.map((socket) => untilAnswered(socket, "OfflineResult")));
  const half = await onlineOf(port, token);
  if (all !== sockets.length || half !== all - leaving.length)
    throw new Error(`${all} and then ${half} devices were online`);
  return all;
}

/** Heartbeats of a few devices, then of the half of all devices that stays online. */
async function measure(devices: Devices, count: number): Promise<Measurement> {
  const idle = (await devices.server.memory()).now;
  await connectUntil(devices, few);
  let memory: Measurement = {};
  const { figures } = await measurePhases(devices.server, {
    unit: "heartbeat",
    cold: () => beatAll(devices.sockets, coldRequests),
    async warmUp() {
      memory = await connectRest(devices, count);
      await beatAll(devices.sockets.slice(count / 2), warmRequests);
    },
    warm: () => beatAll(devices.sockets.slice(count / 2), measuredHeartbeats),
  });
  return { ...memory, online: await checkPresence(devices), ...figures, "idle MiB": idle };
}

const subject = (name: string, count: number, flags: readonly string[]): Subject => ({
  name,
  round: () =>
    withFolder(async (folder) => {
      const records = ["--devices", String(count)];
      const server = await runTelex(folder, records, ["--sockets-per-token", String(count), ...flags]);
      const { port, tokens } = server.ready;
      const token = Array.isArray(tokens) ? String(tokens[0]) : "";
      const devices: Devices = { server, port: Number(port), token, sockets: [] };
      try {
        return await measure(devices, count);
      } finally {
        for (const socket of devices.sockets) socket.destroy();
        await server.stop();
      }
    }),
});

/** Many simultaneously connected devices: the memory of the server and of each, their heartbeats, and whether the server knows which are online. */
export const deviceWorkloads = (counts: readonly number[]): readonly Workload[] =>
  counts.map((count) => ({
    name: `devices ${count}`,
    about: `${count} devices on open sockets: memory of telex serve and of each device, heartbeats over the sockets, and presence`,
    subjects: [subject("telex", count, []), subject("small", count, ["--memory", "small"])],
  }));
