import type { OperatorClient } from "@telex/http/client";

/** The status that a server reports. */
export type Status = Awaited<ReturnType<OperatorClient["server"]["status"]>>;

/** The rates of a server between two samples, per second. */
export interface Rates {
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
  /** Events to sockets. */
  readonly delivered: number;
  /** The shares of one CPU core that the process used, and of the time in which its event loop was busy, in percent. */
  readonly cpu: number;
  readonly loop: number;
}

const percent = (part: number, whole: number): number => (whole > 0 ? Math.round((100 * part) / whole) : 0);

const deliveredOf = ({ delivered }: Status): number => delivered.rooms + delivered.devices;

/** The rates of a process between two samples; null if it was restarted in between, or if no time has passed. */
export function ratesOf(before: Status, after: Status): Rates | null {
  const ms = after.now - before.now;
  if (ms <= 0 || after.startedAt !== before.startedAt) return null;
  const perSecond = (read: (status: Status) => number): number =>
    Math.round(((read(after) - read(before)) * 10_000) / ms) / 10;
  const active = after.process.loopActiveMs - before.process.loopActiveMs;
  const idle = after.process.loopIdleMs - before.process.loopIdleMs;
  return {
    calls: perSecond(({ calls }) => calls.begun),
    refused: perSecond(({ calls }) => calls.refused),
    failed: perSecond(({ calls }) => calls.failed),
    delivered: perSecond(deliveredOf),
    cpu: percent(after.process.cpuMs - before.process.cpuMs, ms),
    loop: percent(active, active + idle),
  };
}

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** A length of time for a person: its two largest units. */
export function spanOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const units = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const shown = first < 0 ? units.slice(-1) : units.slice(first, first + 2);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(" ");
}

const listOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");

const toolsOf = ({ name, state, tools, leftOut, failure }: Status["tools"][number]): string => {
  if (state !== "ready") return `${name} ${state}${failure === "" ? "" : ` (${failure})`}`;
  return `${name} ${tools} tools${leftOut === 0 ? "" : `, ${leftOut} left out`}`;
};

/** Names and values for a person, for `status` and `top`. */
export function describeStatus(status: Status): Readonly<Record<string, string | number>> {
  const { calls, stored, process } = status;
  return {
    running: `${spanOf(status.now - status.startedAt)}, pid ${process.pid}, Node ${process.node}`,
    memory: `${mebibytes(process.rss)}, including a heap of ${mebibytes(process.heapUsed)}`,
    calls: `${calls.begun}, including ${calls.refused} refused and ${calls.failed} failed`,
    "in progress": `${status.running}, and ${status.polls} polls wait`,
    sockets: listOf(status.sockets) || "none",
    delivered: `${listOf(status.delivered)} (events to sockets)`,
    ...(status.tools.length > 0 && { tools: status.tools.map(toolsOf).join("; ") }),
    "quota refusals": status.quotaRefusals,
    "unknown rooms": `${status.unknownRooms} messages of networks were not stored`,
    stored: `${stored.users} users, ${stored.groups} rooms, ${stored.devices} devices, ${stored.files} files`,
    queued: `${stored.queued} texts wait for devices`,
  };
}
