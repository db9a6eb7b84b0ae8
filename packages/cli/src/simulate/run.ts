import { styleText } from "node:util";
import { setMaxListeners } from "node:events";
import type { DeviceMessageView } from "@telex/core";
import { connectSocket } from "../client/sockets.ts";
import { send, type Send } from "../client/requests.ts";
import { callsTo } from "../client/with-client.ts";
import { print, printableLines, printFields, printJsonLine } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import { createDeviceCalls, type DeviceCalls } from "./calls.ts";
import { runDevice } from "./device.ts";
import type { DeviceResult, PrintedRoom, SimulatedDevice } from "./device.ts";
import { createDeviceClock, withFaults } from "./faults.ts";
import type { Fault } from "./faults.ts";
import { withSocketFaults } from "./socket-faults.ts";
import { inMs, sumUp } from "./figures.ts";
import type { Figures } from "./figures.ts";
import { createLiveTable } from "./live-table.ts";
import type { LiveTable } from "./live-table.ts";
import { createPollTransport } from "./poll.ts";
import { createRandom } from "@telex/conformance/testing";
import { readTyped } from "./typed.ts";
import { createSocketTransport } from "./socket.ts";
import type { DeviceParts, DeviceTransport } from "./transport.ts";

/** The transports of a device. */
const modes: Readonly<Record<Mode, (parts: DeviceParts) => DeviceTransport>> = {
  poll: createPollTransport,
  ws: createSocketTransport,
};

/** Polling, or a WebSocket with pushes. */
export type Mode = "poll" | "ws";

export interface Simulation {
  readonly url: string;
  readonly token: string;
  readonly id: string;
  /** Null keeps the name of an existing device. */
  readonly name: string | null;
  /** The chat room to print; null for the server's setting. */
  readonly room: PrintedRoom | null;
  readonly mode: Mode;
  readonly count: number;
  readonly echo: boolean;
  readonly faults: ReadonlySet<Fault>;
  readonly seed: number;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly talk: Talk;
}

/** Runs the devices until `stop` aborts, and prints the figures. Returns true if no text was lost or doubled. */
export async function simulate(simulation: Simulation, stop: AbortSignal): Promise<boolean> {
  const { talk, count, url } = simulation;
  const failed = new AbortController();
  const end = AbortSignal.any([stop, failed.signal]);
  setMaxListeners(0, end);
  let table: LiveTable | null = null;
  const show = (message: DeviceMessageView): void =>
    table === null ? showMessage(message, simulation) : table.note(message);
  const devices = devicesOf(simulation, show);
  const ids = devices.map(({ deviceId }) => deviceId);
  const registered = counter(count, () => {
    talk.done(greeting(simulation));
    if (wantsTable(simulation)) table = createLiveTable(ids, process.stdout);
  });
  const runs = devices.map(async (device) => await runDevice(device, registered, end));
  const results = await Promise.all(runs.map(async (run) => await orStop(run, failed))).finally(() => table?.stop());
  const figures = sumUp(results);
  talk.detail(`${url} was asked for the messages of the run: what the devices have was compared with it.`);
  printFigures(figures, simulation);
  return figures.lost === 0 && figures.duplicates === 0;
}

/** True if several devices run on a terminal. */
const wantsTable = ({ count, json, verbose }: Simulation): boolean =>
  count > 1 && !json && !verbose && process.stdout.isTTY;

/** A failed device stops the others. */
async function orStop(run: Promise<DeviceResult>, failed: AbortController): Promise<DeviceResult> {
  return await run.catch((error: unknown) => {
    failed.abort();
    throw error;
  });
}

function counter(count: number, done: () => void): () => void {
  let left = count;
  return () => {
    left -= 1;
    if (left === 0) done();
  };
}

function greeting({ id, count, url, echo, faults, seed }: Simulation): string {
  const who = count === 1 ? id : `${id}-1 to ${id}-${count}`;
  const how = faults.size === 0 ? "" : `, with faults: ${[...faults].join(", ")} (seed ${seed})`;
  return `${who} ${count === 1 ? "is" : "are"} online at ${url}${echo ? ", echoing" : ""}${how}. Ctrl-C ends.`;
}

function devicesOf(simulation: Simulation, show: (message: DeviceMessageView) => void): SimulatedDevice[] {
  const { url, token, id, name, room, count, echo, faults, seed, mode } = simulation;
  const random = createRandom(seed);
  const lines: SimulatedDevice["typed"] = async (use, stop) => await readTyped(use, stop, simulation.talk);
  return Array.from({ length: count }, (_, index) => {
    const own = random.fork(index);
    const deviceId = count === 1 ? id : `${id}-${index + 1}`;
    const clock = createDeviceClock(faults, own);
    const callsOver = (network: Send): DeviceCalls => createDeviceCalls(callsTo({ url, token }, network), clock, own);
    const call = callsOver(withFaults(send, faults, own));
    const connect = withSocketFaults(connectSocket, faults, own);
    const transport = modes[mode]({ call, clock, deviceId, server: { url, token }, connect });
    const typed = count > 1 ? undefined : lines;
    return { deviceId, name, room, call, truth: callsOver(send), transport, clock, echo, show, typed };
  });
}

function showMessage(message: DeviceMessageView, { json, count }: Simulation): void {
  if (json) return printJsonLine(message);
  const margin = count === 1 ? "" : `${styleText("cyan", message.deviceId)}  `;
  for (const line of printableLines(message.content)) print(`${margin}${line}`);
}

function printFigures(figures: Figures, { json }: Simulation): void {
  if (json) return printJsonLine(figures);
  const { latencyMs, ...counts } = figures;
  printFields({ ...counts, "latency p50": inMs(latencyMs.p50), "latency p99": inMs(latencyMs.p99) });
}
