import { type Clock, type Observer, type Telex, TelexError } from "@telex/core";
import { createDevices, type Devices, type SeenDevice } from "./devices.ts";
import { Durations } from "./durations.ts";
import { inSteps, keptMinutes, type Minute } from "./minutes.ts";

const minute = 60_000;
/** Maximum steps of a response: enough for the width of a chart. */
const mostSteps = 180;

/** Calls whose duration depends on callers, models or connections. They are counted, but not timed. */
const untimed = /^(?:ai|mcp)\.|^teleprinter\.poll$|upload|^account\.export/i;

const faults: ReadonlySet<string> = new Set(["internal", "storage_full", "storage_unavailable"]);

/** The metrics of a server over the last day, minute by minute, in a limited amount of memory. */
export interface Trends {
  readonly observer: Required<Pick<Observer, "call">>;
  /** Call it when a message of a room, or a text to or from a device, is durable. */
  readonly messageCame: () => void;
  readonly deviceSeen: (device: SeenDevice) => void;
  readonly deviceGone: (deviceId: string) => void;
  /** Starts the timer for the minutes. The returned function stops it. */
  readonly start: (telex: Pick<Telex, "clock">) => () => void;
  /** Devices that are online or went offline, the last change first. */
  readonly devices: Devices["list"];
  /** The number of devices that are online. */
  readonly online: Devices["online"];
  /** The last hours in steps of the same length, the current minute last. */
  readonly of: (hours: number) => { readonly step: number; readonly list: readonly Minute[] };
}

/** The current minute. */
class Current {
  calls = 0;
  refused = 0;
  failed = 0;
  messages = 0;
  devices = 0;
  readonly durations = new Durations();

  done(operation: string, milliseconds: number): void {
    this.calls += 1;
    if (!untimed.test(operation)) this.durations.add(milliseconds);
  }

  failedWith(cause: unknown): void {
    this.calls += 1;
    if (faults.has(TelexError.from(cause).code)) this.failed += 1;
    else this.refused += 1;
  }

  at(time: number): Minute {
    const { calls, refused, failed, messages, devices } = this;
    return { at: time, calls, refused, failed, messages, devices, p99: this.durations.within(0.99) };
  }
}

const beginOf = (time: number): number => Math.floor(time / minute) * minute;

/** Records each minute when it has ended. */
class Ring {
  readonly minutes: Minute[] = [];
  readonly devices = createDevices();
  current = new Current();
  #begun = 0;
  #clock: Clock | null = null;

  start(clock: Clock): () => void {
    this.#clock = clock;
    this.#begun = beginOf(clock.now());
    let cancel: () => void;
    const next = (): void => {
      cancel = clock.after(this.#begun + minute - clock.now(), () => {
        this.#turn(clock.now());
        next();
      });
    };
    next();
    return () => cancel();
  }

  #turn(now: number): void {
    this.minutes.push(this.current.at(this.#begun));
    this.minutes.splice(0, this.minutes.length - keptMinutes);
    this.current = new Current();
    this.current.devices = this.devices.online();
    this.#begun = beginOf(now);
  }

  see(device: SeenDevice): void {
    this.devices.see(device, this.#clock?.now() ?? 0);
    this.current.devices = Math.max(this.current.devices, this.devices.online());
  }

  of(hours: number): ReturnType<Trends["of"]> {
    if (this.#clock === null) return { step: minute, list: [] };
    const step = Math.ceil((hours * 60) / mostSteps) * minute;
    const until = beginOf(this.#clock.now()) + minute;
    const minutes = [...this.minutes, this.current.at(this.#begun)];
    return { step, list: inSteps(minutes, { until, step, count: Math.floor((hours * 60 * minute) / step) }) };
  }
}

export function createTrends(): Trends {
  const ring = new Ring();
  return {
    observer: {
      call({ operation }, run) {
        const begun = performance.now();
        const result = run();
        result.then(
          () => ring.current.done(operation, performance.now() - begun),
          (cause: unknown) => ring.current.failedWith(cause),
        );
        return result;
      },
    },
    messageCame: () => void (ring.current.messages += 1),
    deviceSeen: (device) => ring.see(device),
    deviceGone: (deviceId) => ring.devices.forget(deviceId),
    devices: ring.devices.list,
    online: ring.devices.online,
    start: ({ clock }) => ring.start(clock),
    of: (hours) => ring.of(hours),
  };
}
