import { once } from "node:events";
import type { Socket } from "node:net";
import { openBareSocket } from "../lib/bare-socket.ts";
import { load, requestBytes } from "../lib/http-load.ts";
import { withFolder } from "../lib/process.ts";
import { type RoomServer, startTelex } from "../lib/room-servers.ts";
import type { Measurement, Subject, Workload } from "../lib/workload.ts";

const prefix = "/external/api/v1/teleprinter";
const mask = Buffer.alloc(4);
const offline = Buffer.from('{"identifier":1,"command":"offline"}');
const offlineFrame = Buffer.concat([Buffer.from([0x81, 0x80 | offline.length]), mask, offline]);

const open = (port: number, token: string, deviceId: string): Promise<Socket> =>
  openBareSocket(port, `${prefix}/webSocket/${token}?deviceId=${deviceId}&ack=1`);

/** Resolves when the device has received the message that it is offline. A ping may precede it. */
async function untilAnswered(socket: Socket): Promise<void> {
  for (let text = ""; !text.includes("OfflineResult");) {
    text += String(await once(socket, "data"));
  }
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

const register = (token: string, index: number): Buffer =>
  requestBytes("POST", `${prefix}/register`, token, JSON.stringify({ deviceId: `d${index}`, name: `Device ${index}` }));

/** Connects devices, and checks that the server knows which of them are online. */
async function connectAll({ server, port, tokens: [token = ""] }: RoomServer, count: number): Promise<Measurement> {
  await load(port, { connections: 32, total: count, next: (index) => register(token, index) });
  const sockets: Socket[] = [];
  const few = Math.min(100, count / 2);
  for (let index = 0; index < few; index += 1) sockets.push(await open(port, token, `d${index}`));
  const before = await server.memory();
  for (let index = few; index < count; index += 1) sockets.push(await open(port, token, `d${index}`));
  const after = await server.memory();
  const all = await onlineOf(port, token);
  for (const socket of sockets.slice(0, count / 2)) socket.write(offlineFrame);
  await Promise.all(sockets.slice(0, count / 2).map((socket) => untilAnswered(socket)));
  const half = await onlineOf(port, token);
  for (const socket of sockets) socket.destroy();
  if (all !== count || half !== count - count / 2) throw new Error(`${all} and then ${half} devices were online`);
  return { MiB: after.now, "KiB/device": ((after.now - before.now) * 1024) / (count - few), online: all };
}

const subject = (name: string, count: number, flags: readonly string[]): Subject => ({
  name,
  round: () =>
    withFolder(async (folder) => {
      const started = await startTelex(2, ["--sockets-per-token", String(count), ...flags])(folder);
      try {
        return await connectAll(started, count);
      } finally {
        await started.server.stop();
      }
    }),
});

/** Many simultaneously connected devices: the memory of the server and of each, and whether the server knows which are online. */
export const deviceWorkloads = (counts: readonly number[]): readonly Workload[] =>
  counts.map((count) => ({
    name: `devices ${count}`,
    about: `${count} devices on open sockets: memory of telex serve and of each device, and presence`,
    subjects: [subject("telex", count, []), subject("small", count, ["--memory", "small"])],
  }));
