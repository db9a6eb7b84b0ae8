import type { DeviceMessageView } from "@telex/core";

/** What a run has come to; `--json` prints it as it is. */
export interface Figures {
  readonly devices: number;
  /** Texts that the devices sent and the server confirmed. */
  readonly sent: number;
  /** Texts that the devices received. */
  readonly received: number;
  /** Texts that somebody got twice. */
  readonly duplicates: number;
  /** Texts that count as delivered, or were confirmed, and are nowhere. */
  readonly lost: number;
  /** From the moment a text was stored until its device had it; null where nothing was received. */
  readonly latencyMs: { readonly p50: number | null; readonly p99: number | null };
}

/** A length of time, for a person; null if nothing was measured. */
export const inMs = (value: number | null): string | null => (value === null ? null : `${value} ms`);

/** What one device has done. */
export interface DeviceRecord {
  /** Ids received, each time. */
  readonly received: number[];
  /** Ids of the texts that the server confirmed. */
  readonly confirmed: Set<number>;
  /** Texts sent without an answer: each may be stored or not. */
  unknown: number;
  /** Milliseconds. */
  readonly latencies: number[];
}

/** The record of a device that has done nothing. */
export const emptyRecord = (): DeviceRecord => ({ received: [], confirmed: new Set(), unknown: 0, latencies: [] });

/**
 * What is wrong with one device, seen from its record and what the server has stored.
 * @param since Unix milliseconds: when the run began. What is older says nothing of it.
 */
export function compare(
  record: DeviceRecord,
  stored: readonly DeviceMessageView[],
  since: number,
): { readonly lost: number; readonly duplicates: number } {
  const received = new Set(record.received);
  const inRun = stored.filter(({ createdAt }) => Date.parse(createdAt) >= since);
  const missed = inRun.filter(
    ({ id, direction, delivered }) => direction === "to_device" && delivered === 1 && !received.has(id),
  );
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
