import { type ClientClock, createGate, pauseAfter, type Pauses } from "./clock.ts";
import type { SocketError } from "./errors.ts";

interface KeepOptions extends Pauses {
  readonly clock: ClientClock;
  readonly random: () => number;
  readonly isFinal: (code: number) => boolean;
  /** Makes one connection. Resolves when the connection has ended. */
  readonly attempt: () => Promise<SocketError>;
  /** Called before each pause. */
  readonly waits: (until: number | null, cause: SocketError) => void;
}

/** Milliseconds after which a connection counts as stable, which resets the pauses. */
const settledAfter = 5000;

/** Decides whether and when to reconnect. */
export function createKeeper({ clock, random, isFinal, attempt, waits, ...pauses }: KeepOptions) {
  const gate = createGate(clock);
  const holds = new Set<string>();
  let isStopped = false;
  const isHeld = (): boolean => holds.size > 0 && !isStopped;

  const rest = async (length: number, cause: SocketError): Promise<void> => {
    do {
      const pause = isHeld() ? null : length;
      waits(pause === null ? null : clock.now() + pause, cause);
      await gate.wait(pause);
    } while (isHeld());
  };
  return {
    /** Resolves with the last end: a final one, or the first one after `stop`. */
    async run(): Promise<SocketError> {
      for (let failures = 0; ;) {
        const began = clock.now();
        const cause = await attempt();
        if (isStopped || isFinal(cause.code)) return cause;
        failures = clock.now() - began >= settledAfter ? 1 : failures + 1;
        await rest(pauseAfter(failures, random(), pauses), cause);
        if (isStopped) return cause;
      }
    },
    /** Ends a pause. */
    hurry: gate.open,
    hold: (why: string): void => {
      holds.add(why);
      gate.open();
    },
    release(why: string): void {
      if (holds.delete(why)) gate.open();
    },
    stop(): void {
      isStopped = true;
      gate.open();
    },
  };
}
