import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { serverCore } from "../lib/process.ts";
import { percentile } from "../lib/statistics.ts";

const program = "/usr/sbin/mosquitto";

/** True if the broker is installed. */
export const hasMosquitto = (): boolean => existsSync(program);

const field = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
};

function packet(head: number, body: Buffer): Buffer {
  const length: number[] = [];
  for (let left = body.length; ;) {
    const digit = left % 128;
    left = Math.floor(left / 128);
    length.push(left > 0 ? digit | 128 : digit);
    if (left === 0) break;
  }
  return Buffer.concat([Buffer.from([head, ...length]), body]);
}

/** MQTT 3.1.1 with a persistent session (clean session 0), which store and forward needs. */
const connectPacket = (client: string): Buffer =>
  packet(0x10, Buffer.concat([field("MQTT"), Buffer.from([4, 0, 0, 60]), field(client)]));
const subscribePacket = (topic: string): Buffer =>
  packet(0x82, Buffer.concat([Buffer.from([0, 1]), field(topic), Buffer.from([1])]));
const publishPacket = (topic: string, id: number, text: string): Buffer =>
  packet(0x32, Buffer.concat([field(topic), Buffer.from([id >> 8, id & 255]), Buffer.from(text)]));

function readPackets(socket: Socket, told: (type: number, body: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      let length = 0;
      let at = 1;
      for (let shift = 0; ; shift += 7) {
        const digit = rest[at];
        if (digit === undefined) return;
        length += (digit & 127) << shift;
        at += 1;
        if (digit < 128) break;
      }
      if (rest.length < at + length) return;
      told((rest[0] ?? 0) >> 4, rest.subarray(at, at + length));
      rest = rest.subarray(at + length);
    }
  });
}

async function open(port: number, client: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  socket.write(connectPacket(client));
  await once(socket, "data");
  return socket;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Starts a broker that stores its messages in a folder. */
export async function startMosquitto(
  folder: string,
): Promise<{ readonly port: number; readonly pid: number; stop(): Promise<void> }> {
  const port = await freePort();
  const config = join(folder, "mosquitto.conf");
  const lines = [
    `listener ${port} 127.0.0.1`,
    "allow_anonymous true",
    "persistence true",
    `persistence_location ${folder}/`,
    "max_queued_messages 0",
    "user root",
  ];
  await writeFile(config, `${lines.join("\n")}\n`);
  const child: ChildProcess = spawn("taskset", ["-c", serverCore, program, "-c", config], { stdio: "ignore" });
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const up = await new Promise<boolean>((resolve) => {
      socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    });
    socket.destroy();
    if (up) break;
  }
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    },
  };
}

/** Sends messages to an absent subscriber, each acknowledged to the sender. The subscriber then connects and takes them all. */
export async function storeAndForward(port: number, total: number, inFlight: number) {
  const away = await open(port, "device");
  away.write(subscribePacket("device/in"));
  await once(away, "data");
  away.destroy();
  const sender = await open(port, "sender");
  const sentAt = new Map<number, number>();
  const latencies: number[] = [];
  let sent = 0;
  const send = (): void => {
    if (sent >= total) return;
    sent += 1;
    const id = (sent % 65_535) + 1;
    sentAt.set(id, performance.now());
    sender.write(publishPacket("device/in", id, `a short line of text ${sent}`));
  };
  const stored = Promise.withResolvers<void>();
  readPackets(sender, (type, body) => {
    if (type !== 4) return;
    latencies.push(performance.now() - (sentAt.get(body.readUInt16BE(0)) ?? 0));
    send();
    if (latencies.length === total) stored.resolve();
  });
  const began = performance.now();
  for (let index = 0; index < inFlight; index += 1) send();
  await stored.promise;
  const sending = (performance.now() - began) / 1000;
  const device = connect(port, "127.0.0.1").setNoDelay(true);
  const taken = Promise.withResolvers<void>();
  let received = 0;
  readPackets(device, (type, body) => {
    if (type !== 3) return;
    const topic = body.readUInt16BE(0);
    device.write(packet(0x40, Buffer.from(body.subarray(2 + topic, 4 + topic))));
    received += 1;
    if (received === total) taken.resolve();
  });
  const asked = performance.now();
  device.write(connectPacket("device"));
  await taken.promise;
  const fetching = (performance.now() - asked) / 1000;
  sender.destroy();
  device.destroy();
  return { "sends/s": total / sending, "send p50 ms": percentile(latencies, 0.5), "fetches/s": total / fetching };
}
