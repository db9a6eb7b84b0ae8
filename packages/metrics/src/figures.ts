import { type Figures, operator, type Telex } from "@telex/core";
import { Counter, Gauge, type Registry } from "prom-client";

type Stored = Awaited<ReturnType<Telex["operator"]["server"]["status"]>>["stored"];

/** Milliseconds for which counts of the storage are reused, because counting may read every device. */
const storedLife = 10_000;

/** A gauge whose value is read when it is collected. */
function show(registers: Registry[], name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) });
}

/** A counter whose value is maintained elsewhere. */
function follow(registers: Registry[], name: string, help: string, read: () => number): void {
  const counter: Counter = new Counter({
    name,
    help,
    registers,
    collect() {
      counter.reset();
      counter.inc(read());
    },
  });
}

function showDelivered(registers: Registry[], figures: () => Figures): void {
  const delivered: Counter<"to"> = new Counter({
    name: "telex_delivered_events_total",
    help: "Events that were written to sockets",
    labelNames: ["to"],
    registers,
    collect() {
      const { rooms, devices } = figures().delivered;
      delivered.reset();
      delivered.inc({ to: "rooms" }, rooms);
      delivered.inc({ to: "devices" }, devices);
    },
  });
}

function showSockets(registers: Registry[], figures: () => Figures): void {
  const seen = new Set<string>();
  const sockets: Gauge<"channel"> = new Gauge({
    name: "telex_sockets",
    help: "Open sockets that are signed in",
    labelNames: ["channel"],
    registers,
    collect() {
      const open = figures().sockets;
      for (const channel of Object.keys(open)) seen.add(channel);
      for (const channel of seen) sockets.set({ channel }, open[channel] ?? 0);
    },
  });
}

function showStored(registers: Registry[], telex: Telex): void {
  let read: Promise<Stored> | null = null;
  let readAt = 0;
  const stored = (): Promise<Stored> => {
    const now = telex.clock.now();
    if (read !== null && now - readAt < storedLife) return read;
    readAt = now;
    read = telex.operator.server.status(operator, {}).then((status) => status.stored);
    // If the storage is down, the gauges keep their values, and the next collection tries again.
    read.catch(() => (read = null));
    return read;
  };
  const queued: Gauge = new Gauge({
    name: "telex_queued_texts",
    help: "Texts that wait for devices",
    registers,
    async collect() {
      const figures = await stored().catch(() => null);
      if (figures !== null) queued.set(figures.queued);
    },
  });
  const records: Gauge<"kind"> = new Gauge({
    name: "telex_stored_records",
    help: "Users, rooms, devices and files that are stored",
    labelNames: ["kind"],
    registers,
    async collect() {
      const { queued: _queued, ...counts } = (await stored().catch(() => null)) ?? {};
      for (const [kind, count] of Object.entries(counts)) records.set({ kind }, count);
    },
  });
}

/** Registers the figures that an instance counts itself. They are read at each collection. */
export function showFigures(registers: Registry[], telex: Telex): void {
  const { figures } = telex;
  show(registers, "telex_running", "Calls, responses and replies in progress", () => figures().running);
  show(registers, "telex_polls_waiting", "Polls that wait for a text", () => figures().polls);
  const refusals = "Replies that were refused because a quota was used up";
  follow(registers, "telex_quota_refusals_total", refusals, () => figures().quotaRefusals);
  const unknown = "Messages of external networks that were not stored because no chat room stands for their room";
  follow(registers, "telex_unknown_rooms_total", unknown, () => figures().unknownRooms);
  showDelivered(registers, figures);
  showSockets(registers, figures);
  showStored(registers, telex);
}
