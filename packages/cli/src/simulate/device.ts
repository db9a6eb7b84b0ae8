import { randomUUID } from "node:crypto";
import type { DeviceMessageView, DeviceView } from "@telex/core";
import { within } from "../client/with-client.ts";
import { Failure } from "../errors/errors.ts";
import type { DeviceCalls } from "./calls.ts";
import type { DeviceClock } from "./faults.ts";
import { compare, emptyRecord } from "./figures.ts";
import type { DeviceRecord } from "./figures.ts";
import { isRefused } from "./refused.ts";
import type { DeviceTransport } from "./transport.ts";

/** A chat room that a device prints. */
export type PrintedRoom = NonNullable<DeviceView["room"]>;

/** A simulated device. */
export interface SimulatedDevice {
  readonly deviceId: string;
  /** Null keeps the name of an existing device. */
  readonly name: string | null;
  /** The chat room to print; null for the server's setting. */
  readonly room: PrintedRoom | null;
  /** Calls with faults. */
  readonly call: DeviceCalls;
  /** Calls without faults, which read the server's state. */
  readonly truth: DeviceCalls;
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
  const { transport, clock } = device;
  const start = clock.now();
  const since = Date.parse((await appear(device)).lastSeen);
  // Differences are measured by the server's clock. Half of the round trip counts as the way there.
  const ahead = since - (start + clock.now()) / 2;
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
  return { record, ...compare(record, await storedSince(device, since, record.confirmed), since) };
}

async function appear(device: SimulatedDevice): Promise<DeviceView> {
  const { call, deviceId, name, room } = device;
  const existing = name === null ? await find(device) : null;
  if (existing !== null && room === null) return existing;
  const input = {
    deviceId,
    name: name ?? existing?.name ?? "Simulated device",
    ...(room !== null && { room }),
  };
  return await call(({ register }) => register(input, within()));
}

/** The registered device, or null. A heartbeat finds it. */
async function find({ call, deviceId }: SimulatedDevice): Promise<DeviceView | null> {
  try {
    return await call(({ heartbeat }) => heartbeat({ deviceId }, within()));
  } catch (error) {
    if (error instanceof Failure && error.error === "device_not_found") return null;
    throw error;
  }
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

/** The newest texts below the cursor, in both directions. */
const pageOf = async ({ truth, deviceId }: SimulatedDevice, cursor: string | null) =>
  await truth(({ messages }) => messages({ deviceId, pageSize: 100, ...(cursor !== null && { cursor }) }, within()));

/** Texts that the server stored since a moment, and as far back as the record reaches. */
async function storedSince(
  device: SimulatedDevice,
  since: number,
  confirmed: ReadonlySet<number>,
): Promise<DeviceMessageView[]> {
  const oldest = [...confirmed].reduce((least, id) => Math.min(least, id), Number.MAX_SAFE_INTEGER);
  const stored: DeviceMessageView[] = [];
  for (let cursor: string | null = null; ;) {
    const { messages, nextPageCursor } = await pageOf(device, cursor);
    stored.push(...messages);
    cursor = nextPageCursor;
    const last = messages.at(-1);
    if (cursor === null || last === undefined) return stored;
    if (last.id < oldest && Date.parse(last.createdAt) < since) return stored;
  }
}
