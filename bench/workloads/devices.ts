import { once } from "node:events";
import type { Socket } from "node:net";
import { openBareSocket } from "../lib/bare-socket.ts";
import { load, requestBytes } from "../lib/http-load.ts";
import { run, serverCore, withFolder } from "../lib/process.ts";
import type { Workload } from "../lib/workload.ts";

const telex = new URL("../servers/telex.ts", import.meta.url).pathname;
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

/** Many simultaneously connected devices: the memory of each, and whether the server knows which are online. */
export const deviceWorkloads = (counts: readonly number[]): readonly Workload[] =>
  counts.map((count) => ({
    name: `devices ${count}`,
    about: `${count} devices on open sockets: memory of each, and presence`,
    subjects: [
      {
        name: "telex",
        round: () =>
          withFolder(async (folder) => {
            const server = await run(telex, [folder], serverCore);
            try {
              const port = Number(server.ready["port"]);
              const token = Array.isArray(server.ready["tokens"]) ? String(server.ready["tokens"][0]) : "";
              const register = (index: number): Buffer =>
                requestBytes(
                  "POST",
                  `${prefix}/register`,
                  token,
                  JSON.stringify({ deviceId: `d${index}`, name: `Device ${index}` }),
                );
              await load(port, { connections: 32, total: count, next: register });
              const sockets: Socket[] = [];
              const few = Math.min(100, count);
              for (let index = 0; index < few; index += 1) sockets.push(await open(port, token, `d${index}`));
              const before = await server.memory();
              for (let index = few; index < count; index += 1) sockets.push(await open(port, token, `d${index}`));
              const after = await server.memory();
              const all = await onlineOf(port, token);
              for (const socket of sockets.slice(0, count / 2)) socket.write(offlineFrame);
              await Promise.all(sockets.slice(0, count / 2).map((socket) => untilAnswered(socket)));
              const half = await onlineOf(port, token);
              for (const socket of sockets) socket.destroy();
              if (all !== count || half !== count - count / 2)
                throw new Error(`${all} and then ${half} devices were online`);
              return { "KiB/device": ((after.now - before.now) * 1024) / (count - few), online: all };
            } finally {
              await server.stop();
            }
          }),
      },
    ],
  }));
