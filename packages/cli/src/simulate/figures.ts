import type { DeviceMessageView } from "@telex/core";

/** The figures of a run, as `--json` prints them. */
export interface Figures {
  readonly devices: number;
  /** Texts that the devices sent and the server confirmed. */
  readonly sent: number;
  /** Texts that the devices received. */
  readonly received: number;
  /** Texts that arrived twice. */
  readonly duplicates: number;
  /** Delivered or confirmed texts that are missing. */
  readonly lost: number;
  /** From storing a text to its arrival at the device; null without any. */
  readonly latencyMs: { readonly p50: number | null; readonly p99: number | null };
}

/** A duration for a person; null without a measurement. */
export const inMs = (value: number | null): string | null => (value === null ? null : `${value} ms`);

/** The record of one device. */
export interface DeviceRecord {
  /** Received ids, with repeats. */
  readonly received: number[];
  /** Ids of confirmed texts. */
  readonly confirmed: Set<number>;
  /** Texts sent without a response: each may be stored. */
  unknown: number;
  /** Milliseconds. */
  readonly latencies: number[];
}

export const emptyRecord = (): DeviceRecord => ({ received: [], confirmed: new Set(), unknown: 0, latencies: [] });

const isDelivered = ({ direction, delivered }: DeviceMessageView): boolean =>
  direction === "to_device" && delivered === 1;

/**
 * The faults of one device, from its record and the server's.
 * @param since Unix milliseconds of the start of the run; older texts are ignored
 */
export function compare(
  record: DeviceRecord,
  stored: readonly DeviceMessageView[],
  since: number,
): { readonly lost: number; readonly duplicates: number } {
  const received = new Set(record.received);
  const inRun = stored.filter(({ createdAt }) => Date.parse(createdAt) >= since);
  const missed = inRun.filter((message) => isDelivered(message) && !received.has(message.id));
  const vanished = record.confirmed.difference(idsFromDevice(stored));
  const unasked = idsFromDevice(inRun).difference(record.confirmed);
  return {
    lost: missed.length + vanished.size,
    duplicates: record.received.length - received.size + Math.max(0, unasked.size - record.unknown),
  };
}

const idsFromDevice = (messages: readonly DeviceMessageView[]): ReadonlySet<number> =>
  new Set(messages.filter(({ direction }) => direction === "from_device").map(({ id }) => id));

/** The value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** The figures of all devices together. */
export function sumUp(devices: readonly { record: DeviceRecord; lost: number; duplicates: number }[]): Figures {
  const sum = (of: (device: (typeof devices)[number]) => number): number =>
    devices.reduce((total, device) => total + of(device), 0);
  const latencies = devices.flatMap(({ record }) => record.latencies);
  return {
    devices: devices.length,
    sent: sum(({ record }) => record.confirmed.size),
    received: sum(({ record }) => record.received.length),
    duplicates: sum(({ duplicates }) => duplicates),
    lost: sum(({ lost }) => lost),
    latencyMs: { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
  };
}
