/**
 * Measures the memory of an idle connection in the server: the difference in resident memory between many connections and few, divided
 * by the difference in their number. `node bench/idle.ts [--few 200] [--many 5000]`.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { parseArgs } from "node:util";
import { openBareSocket } from "./lib/bare-socket.ts";

async function memoryOf(server: ChildProcess): Promise<NodeJS.MemoryUsage> {
  server.send(0);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own server sends
  const [usage] = (await once(server, "message")) as [NodeJS.MemoryUsage];
  return usage;
}

const open = (port: number, token: string): Promise<Socket> =>
  openBareSocket(port, `/external/api/v1/im/imWebSocket/${token}`);

const { values } = parseArgs({
  options: { few: { type: "string", default: "200" }, many: { type: "string", default: "5000" } },
});
const [few, many] = [Number(values.few), Number(values.many)];
const server = fork(new URL("fan-out-server.ts", import.meta.url), ["joined", String(many)], {
  execArgv: ["--conditions=telex-source", "--expose-gc"],
});
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own server sends
const [{ port, tokens }] = (await once(server, "message")) as [{ port: number; tokens: string[] }];
const sockets: Socket[] = [];
for (const token of tokens.slice(0, few)) sockets.push(await open(port, token));
const before = await memoryOf(server);
for (const token of tokens.slice(few)) sockets.push(await open(port, token));
const after = await memoryOf(server);
const each = (bytes: number): string => `${(bytes / (many - few) / 1024).toFixed(1)} KiB`;
console.log(
  `resident ${each(after.rss - before.rss)}, heap ${each(after.heapUsed - before.heapUsed)} per idle connection`,
);
for (const socket of sockets) socket.destroy();
server.kill();
