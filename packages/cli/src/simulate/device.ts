import type { DeviceMessageView } from "@telex/core";
import type { DeviceApi } from "./device-api.ts";
import type { DeviceClock } from "./faults.ts";
import { compare, emptyRecord } from "./figures.ts";
import type { DeviceRecord } from "./figures.ts";
import type { DeviceTransport } from "./transport.ts";

/** A simulated device. */
export interface SimulatedDevice {
  readonly deviceId: string;
  readonly name: string;
  /** How the device talks to the server, faults included. */
  readonly api: DeviceApi;
  /** The same without faults: for looking at what the server has. */
  readonly truth: DeviceApi;
  readonly transport: DeviceTransport;
  readonly clock: DeviceClock;
  /** Sends each text back. */
  readonly echo: boolean;
  readonly show: (message: DeviceMessageView) => void;
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
  const { api, truth, transport, clock, name } = device;
  const asked = clock.now();
  const { lastSeen } = await api.register(name);
  // The server's clock is the measure; half of the way there and back is on the way there.
  const ahead = Date.parse(lastSeen) - (asked + clock.now()) / 2;
  const newest = (await truth.history(null, 1)).messages[0]?.id ?? 0;
  const record = emptyRecord();
  registered();
  await transport.receive(async (message) => {
    record.received.push(message.id);
    // What waited for a device that was not there yet says nothing of the way.
    if (message.id > newest) record.latencies.push(latencyOf(message, clock.now() + ahead));
    device.show(message);
    if (device.echo) await echo(transport, message, record);
  }, stop);
  return { record, ...compare(record, await storedSince(truth, newest)) };
}

const latencyOf = ({ createdAt }: DeviceMessageView, now: number): number =>
  Math.max(0, Math.round(now - Date.parse(createdAt)));

/** The nonce follows from the message: a device that starts again and gets it again answers once. */
async function echo(transport: DeviceTransport, message: DeviceMessageView, record: DeviceRecord): Promise<void> {
  record.unknown += 1;
  const stored = await transport.sync(message.content, `echo-${message.id}`);
  record.unknown -= 1;
  record.confirmed.add(stored.id);
}

async function storedSince(api: DeviceApi, newest: number): Promise<DeviceMessageView[]> {
  const stored: DeviceMessageView[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await api.history(cursor, 100);
    const fresh = page.messages.filter(({ id }) => id > newest);
    stored.push(...fresh);
    cursor = page.nextPageCursor;
    if (cursor === null || fresh.length < page.messages.length) return stored;
  }
}
