/**
 * Measures the server's CPU time per delivery of a mirrored message, with joined writes as in Telex and with one write for each frame:
 * `node bench/fan-out.ts [--members 1000] [--burst 20] [--bursts 20] [--rounds 5]`.
 *
 * Both variants run on the same core with the same rooms, and differ only in how a connection writes its events. The readers are in this
 * process, so with two or more cores they use none of the server's CPU time. The exit code is 0 if every member
 * received every message once and in order.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { parseArgs } from "node:util";
import { openBareSocket } from "./lib/bare-socket.ts";

/** `joined` writes like Telex; the others write each frame separately, built once or for each member. */
const modes = ["joined", "frame each", "string each"] as const;
type Mode = (typeof modes)[number];

const path = "/external/api/v1/im/imWebSocket";

const ping = 0x89;
/** An empty pong, masked with zeros. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/** Reads frames, and checks that messages arrive once and in order. */
function createReader(socket: Socket) {
  let rest: Buffer = Buffer.alloc(0);
  let last = 0;
  const reader = { received: 0, wrong: 0 };
  const take = (payload: Buffer): void => {
    const at = payload.indexOf('"messageId":') + 12;
    const id = Number.parseInt(payload.toString("latin1", at, at + 16), 10);
    if (id !== (last === 0 ? id : last + 1)) reader.wrong += 1;
    last = id;
    reader.received += 1;
  };
  socket.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 2) {
      const short = rest[1] ?? 0;
      const start = short === 126 ? 4 : 2;
      if (rest.length < start) return;
      const end = start + (short === 126 ? rest.readUInt16BE(2) : short);
      if (rest.length < end) return;
      if (rest[0] === ping) socket.write(pong);
      else take(rest.subarray(start, end));
      rest = rest.subarray(end);
    }
  });
  return reader;
}

async function openReader(port: number, token: string) {
  const socket = await openBareSocket(port, `${path}/${token}`);
  return { socket, reader: createReader(socket) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send(0);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own server sends
  const [usage] = (await once(server, "message")) as [NodeJS.CpuUsage];
  return usage.user + usage.system;
}

interface Settings {
  readonly members: number;
  readonly burst: number;
  readonly bursts: number;
}

/** Microseconds of CPU per delivery. */
async function measure(mode: Mode, { members, burst, bursts }: Settings): Promise<number> {
  const server = fork(new URL("fan-out-server.ts", import.meta.url), [mode, String(members)], {
    execArgv: ["--conditions=telex-source"],
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own server sends
  const [{ port, tokens }] = (await once(server, "message")) as [{ port: number; tokens: string[] }];
  const readers: Awaited<ReturnType<typeof openReader>>[] = [];
  for (const token of tokens) readers.push(await openReader(port, token));
  const run = async (count: number): Promise<void> => {
    const goal = (readers[0]?.reader.received ?? 0) + count;
    server.send(count);
    while (readers.some(({ reader }) => reader.received < goal)) await turn();
  };
  for (let warm = 0; warm < 5; warm += 1) await run(burst);
  const before = await cpuOf(server);
  for (let count = 0; count < bursts; count += 1) await run(burst);
  const after = await cpuOf(server);
  const wrong = readers.reduce((sum, { reader }) => sum + reader.wrong, 0);
  if (wrong > 0) process.exitCode = 1;
  if (wrong > 0) console.log(`${mode}: ${wrong} messages out of order`);
  for (const { socket } of readers) socket.destroy();
  server.kill();
  await once(server, "exit");
  return (after - before) / (bursts * burst * members);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      members: { type: "string", default: "1000" },
      burst: { type: "string", default: "20" },
      bursts: { type: "string", default: "20" },
      rounds: { type: "string", default: "5" },
    },
  });
  const settings = { members: Number(values.members), burst: Number(values.burst), bursts: Number(values.bursts) };
  const results = new Map<Mode, number[]>(modes.map((mode) => [mode, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const order = modes.map((_, index) => modes[(index + round) % modes.length] ?? "joined");
    for (const mode of order) results.get(mode)?.push(await measure(mode, settings));
  }
  const joined = results.get("joined") ?? [];
  for (const mode of modes) {
    const own = results.get(mode) ?? [];
    const ratios = own.map((value, index) => value / (joined[index] ?? value));
    console.log(
      `${mode.padEnd(12)} ${median(own).toFixed(2)} us CPU per delivery (${own.map((one) => one.toFixed(2)).join(" ")}), ` +
        `${median(ratios).toFixed(2)} x joined`,
    );
  }
}

await main();
