/** The metrics of one minute, or of several minutes together. */
export interface Minute {
  /** The beginning, in Unix milliseconds. */
  readonly at: number;
  readonly calls: number;
  /** Calls that failed because of the caller. */
  readonly refused: number;
  /** Calls that failed because of the server. */
  readonly failed: number;
  /** Messages of rooms, and texts to and from devices. */
  readonly messages: number;
  /** The maximum number of devices online. */
  readonly devices: number;
  /** Milliseconds within which 99 of 100 calls were answered, in the slowest of the minutes; null without a call. */
  readonly p99: number | null;
}

/** Maximum minutes that are kept: a day. */
export const keptMinutes = 1440;

const sum = (minutes: readonly Minute[], field: "calls" | "refused" | "failed" | "messages"): number =>
  minutes.reduce((all, minute) => all + minute[field], 0);

function join(minutes: readonly Minute[], at: number): Minute {
  const slowest = minutes.reduce((most, { p99 }) => Math.max(most, p99 ?? -1), -1);
  return {
    at,
    calls: sum(minutes, "calls"),
    refused: sum(minutes, "refused"),
    failed: sum(minutes, "failed"),
    messages: sum(minutes, "messages"),
    devices: minutes.reduce((most, { devices }) => Math.max(most, devices), 0),
    p99: slowest < 0 ? null : slowest,
  };
}

/**
 * Joins minutes into steps. Steps without minutes are zero, as before the start of the server.
 * @param minutes in order
 * @param until the end of the last step, in Unix milliseconds
 */
export function inSteps(
  minutes: readonly Minute[],
  { until, step, count }: { readonly until: number; readonly step: number; readonly count: number },
): readonly Minute[] {
  const begin = until - count * step;
  const steps = Array.from({ length: count }, (): Minute[] => []);
  for (const minute of minutes) steps[Math.floor((minute.at - begin) / step)]?.push(minute);
  return steps.map((some, index) => join(some, begin + index * step));
}
