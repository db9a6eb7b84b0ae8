/**
 * Registers devices, connects each of them, and prints the memory of the server as one line of JSON, in MiB:
 * `node scripts/connect-devices.ts <url> <token> <count>`. The token needs the scopes `chat` and `admin`. `scripts/test-arm64.sh` uses it.
 */
import { setTimeout } from "node:timers/promises";
import { WebSocket } from "ws";
import { z } from "zod";

const [url = "", token = "", count = "0"] = process.argv.slice(2);
const api = `${url}/external/api/v1`;
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const status = z.object({ data: z.object({ process: z.object({ rss: z.number(), heapUsed: z.number() }) }) });

/** Fails unless the server accepts the call. */
async function call(path: string, body?: object): Promise<unknown> {
  const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const response = await fetch(api + path, init);
  if (!response.ok) throw new Error(`The server answered ${path} with ${response.status}.`);
  return response.json();
}

function connect(deviceId: string): Promise<WebSocket> {
  const target = `${api.replace("http", "ws")}/teleprinter/webSocket/${token}?deviceId=${deviceId}&ack=1`;
  const socket = new WebSocket(target);
  return new Promise((resolve, reject) => void socket.once("open", () => resolve(socket)).once("error", reject));
}

async function memoryOf(): Promise<{ readonly rss: number; readonly heapUsed: number }> {
  const { rss, heapUsed } = status.parse(await call("/admin/status")).data.process;
  return { rss: Math.round(rss / 2 ** 20), heapUsed: Math.round((heapUsed / 2 ** 20) * 10) / 10 };
}

const before = await memoryOf();
const sockets: WebSocket[] = [];
for (let index = 0; index < Number(count); index += 1) {
  const deviceId = `d${index}`;
  await call("/teleprinter/register", { deviceId, name: `Device ${index}` });
  sockets.push(await connect(deviceId));
}
const lost = sockets.filter((socket) => socket.readyState !== WebSocket.OPEN).length;
if (lost > 0) throw new Error(`${lost} devices lost their connection.`);
// The lowest of several: the heap grows until the next garbage collection.
const heaps: number[] = [];
for (let look = 0; look < 20; look += 1) {
  heaps.push((await memoryOf()).heapUsed);
  await setTimeout(500);
}
const after = await memoryOf();
console.log(JSON.stringify({ before, after: { ...after, heapUsed: Math.min(...heaps) } }));
for (const socket of sockets) socket.terminate();
