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
  /** Null keeps the name of an existing device. */
  readonly name: string | null;
  /** The chat room to print; null for the server's setting. */
  readonly room: PrintedRoom | null;
  /** Calls with faults. */
  readonly api: DeviceApi;
  /** Calls without faults, to read the server's state. */
  readonly truth: DeviceApi;
  readonly transport: DeviceTransport;
  readonly clock: DeviceClock;
  /** If true, the device sends each text back. */
  readonly echo: boolean;
  readonly show: (message: DeviceMessageView) => void;
  /** Passes on the lines that a person types as the device, until `stop` aborts. */
  readonly typed?: ((use: (line: string) => Promise<void>, stop: AbortSignal) => Promise<void>) | undefined;
}

/** The record of one device, and its faults. */
export interface DeviceResult {
  readonly record: DeviceRecord;
  readonly lost: number;
  readonly duplicates: number;
}

/**
 * Runs one device from its registration to its end, and compares its record with the server's.
 * @throws Failure if the server rejects the device, or does not respond for half a minute
 */
export async function runDevice(
  device: SimulatedDevice,
  registered: () => void,
  stop: AbortSignal,
): Promise<DeviceResult> {
  const { truth, transport, clock } = device;
  const asked = clock.now();
  const since = Date.parse((await appear(device)).lastSeen);
  // Differences are measured by the server's clock. Half of the round trip counts as the way there.
  const ahead = since - (asked + clock.now()) / 2;
  const record = emptyRecord();
  registered();
  const typing = device.typed?.(async (line) => await say(transport, line, record), stop);
  await transport.receive(async (message) => {
    const createdAt = Date.parse(message.createdAt);
    record.received.push(message.id);
    // A text that waited before the device existed says nothing about latency.
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

/** Sends a text back. The nonce follows from the text, so a restarted device answers it once. */
async function echo(transport: DeviceTransport, message: DeviceMessageView, record: DeviceRecord): Promise<void> {
  record.unknown += 1;
  const stored = await transport.sync(message.content, `echo-${message.id}`);
  record.unknown -= 1;
  record.confirmed.add(stored.id);
}

/** Texts that the server stored since a moment, and as far back as the record reaches. */
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
