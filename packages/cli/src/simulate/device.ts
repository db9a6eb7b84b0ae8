import { randomUUID } from "node:crypto";
import type { DeviceMessageView, DeviceView } from "@telex/core";
import type { DeviceApi, PrintedRoom } from "./device-api.ts";
import type { DeviceClock } from "./faults.ts";
import { compare, emptyRecord } from "./figures.ts";
import type { DeviceRecord } from "./figures.ts";
import { isRefused } from "./refused.ts";
import type { DeviceTransport } from "./transport.ts";

/** A simulated device. */
export interface SimulatedDevice {
  readonly deviceId: string;
  /** Null keeps the name of a device that exists. */
  readonly name: string | null;
  /** The chat room to print; null for what the server has set. */
  readonly room: PrintedRoom | null;
  /** How the device talks to the server, faults included. */
  readonly api: DeviceApi;
  /** The same without faults: for looking at what the server has. */
  readonly truth: DeviceApi;
  readonly transport: DeviceTransport;
  readonly clock: DeviceClock;
  /** Sends each text back. */
  readonly echo: boolean;
  readonly show: (message: DeviceMessageView) => void;
  /** Hands over what a person types as the device, until `stop` is aborted. */
  readonly typed?: ((use: (line: string) => Promise<void>, stop: AbortSignal) => Promise<void>) | undefined;
}

/** What one device has done, and what was wrong with it. */
export interface DeviceResult {
  readonly record: DeviceRecord;
  readonly lost: number;
  readonly duplicates: number;
}

/**
 * One device from registration to goodbye, and then the comparison with what the server has stored.
 * @throws Failure when the server refuses the device, or does not answer for half a minute
 */
export async function runDevice(
  device: SimulatedDevice,
  registered: () => void,
  stop: AbortSignal,
): Promise<DeviceResult> {
  const { truth, transport, clock } = device;
  const asked = clock.now();
  const since = Date.parse((await appear(device)).lastSeen);
  // The server's clock is the measure; half of the way there and back is on the way there.
  const ahead = since - (asked + clock.now()) / 2;
  const record = emptyRecord();
  registered();
  const typing = device.typed?.(async (line) => await say(transport, line, record), stop);
  await transport.receive(async (message) => {
    const createdAt = Date.parse(message.createdAt);
    record.received.push(message.id);
    // What waited for a device that was not there yet says nothing of the way.
    if (createdAt >= since) record.latencies.push(Math.max(0, Math.round(clock.now() + ahead - createdAt)));
    device.show(message);
    if (device.echo) await echo(transport, message, record);
  }, stop);
  await typing;
  return { record, ...compare(record, await storedSince(truth, since, record.confirmed), since) };
}

async function appear({ api, name, room }: SimulatedDevice): Promise<DeviceView> {
  const known = name === null ? await api.find() : null;
  if (known !== null && room === null) return known;
  return await api.register(name ?? known?.name ?? "Simulated device", room);
}

async function say(transport: DeviceTransport, line: string, record: DeviceRecord): Promise<void> {
  record.unknown += 1;
  try {
    record.confirmed.add((await transport.sync(line, randomUUID())).id);
    record.unknown -= 1;
  } catch (error) {
    if (isRefused(error)) record.unknown -= 1;
    throw error;
  }
}

/** The nonce follows from the message: a device that starts again and gets it again answers once. */
async function echo(transport: DeviceTransport, message: DeviceMessageView, record: DeviceRecord): Promise<void> {
  record.unknown += 1;
  const stored = await transport.sync(message.content, `echo-${message.id}`);
  record.unknown -= 1;
  record.confirmed.add(stored.id);
}

/** What the server has stored since a moment, and as far back as the device was told of something stored. */
async function storedSince(
  api: DeviceApi,
  since: number,
  confirmed: ReadonlySet<number>,
): Promise<DeviceMessageView[]> {
  const oldest = [...confirmed].reduce((least, id) => Math.min(least, id), Number.MAX_SAFE_INTEGER);
  const stored: DeviceMessageView[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await api.history(cursor, 100);
    stored.push(...page.messages);
    cursor = page.nextPageCursor;
    const last = page.messages.at(-1);
    if (cursor === null || last === undefined) return stored;
    if (last.id < oldest && Date.parse(last.createdAt) < since) return stored;
  }
}
