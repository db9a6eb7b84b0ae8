import { type Clock, type Logger, TelexError } from "@telex/core";
import type { Db } from "mongodb";
import { inTime } from "../driver/in-time.ts";
import { skew as allowed } from "./clock-skew.ts";
import {
  tolerance,
  mostTime,
  type Clocks,
  counter,
  type Measured,
  offsetNow,
  hasMoved,
  measure,
  isInexact,
  nearest,
} from "./measure.ts";

/** Milliseconds by which a clock may be wrong: more shows in the times of messages and the ends of tokens. */
const mostSkew = 11_000;

/** Milliseconds between requests for the time, and until the next one if the last answer was too slow to be exact. */
const measureEvery = 60_000;

const measureSoon = 1000;

/** The clock that all servers share, and its difference from the clock of this server. */
export interface DatabaseClock {
  /**
   * Unix milliseconds. Never ahead of the database, and behind it by the time that its last answer took. Setting the clock of this server does
   * not change it. If the machine may have been suspended since the last call, it asks the database first.
   * @throws MongoError (as a rejection) if the database does not answer then
   */
  readonly now: () => Promise<number>;
  /**
   * Milliseconds by which the clock of this server is certainly ahead. Starts at 0 and changes only by a second or more. Asks as `now` does.
   * @throws MongoError (as a rejection) as `now` does
   */
  readonly ahead: () => Promise<number>;
  /**
   * True if the database wrote something at `written` (Unix milliseconds), seconds later than the time that this server knew, and confirms it
   * when it is asked again. Nothing else reveals that a virtual machine was paused: all its clocks stand still.
   * @throws MongoError (as a rejection) as `now` does
   */
  readonly wasLate: (written: number) => Promise<boolean>;
  /**
   * Compares the two clocks now.
   * @throws TelexError `storage_unavailable` if they differ by more than 11 s
   */
  readonly assert: () => Promise<void>;
  readonly end: () => void;
}

const hintFor = (ahead: number): string =>
  `The clock of this server is ${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead > 0 ? "ahead of" : "behind"} that of MongoDB. ` +
  "They may differ by at most 5 s. Synchronize both with NTP.";

/** Logs while the clock of this server is wrong, and when it is right again. */
function createJournal(log: Logger | null) {
  let wasWrong = false;
  return ({ ahead }: Measured): void => {
    const isWrong = Math.abs(ahead) > allowed;
    if (isWrong) log?.warn("storage.clock_wrong", { milliseconds: ahead, hint: hintFor(ahead) });
    else if (wasWrong) log?.info("storage.clock_right");
    wasWrong = isWrong;
  };
}

interface DatabaseClockDeps extends Partial<Pick<Clocks, "counter">> {
  readonly db: Pick<Db, "command">;
  readonly clock: Clock;
  readonly log: Logger | null;
}

/** Measures now, and then regularly. */
async function startMeasuring({ db, clock, log, counter: count = counter }: DatabaseClockDeps) {
  const clocks = { clock, counter: count };
  const tell = createJournal(log);
  let measured = await measure(db, clocks);
  let measuring: Promise<void> | null = null;
  let isOpen = true;
  let cancel = (): void => undefined;
  const run = async (): Promise<void> => {
    measured = await inTime(mostTime, measure(db, clocks, measured));
  };
  /** Callers share a measurement that is in progress. */
  const refresh = (): Promise<void> => (measuring ??= run().finally(() => (measuring = null)));
  const plan = (): void => {
    // It may have been ended during a measurement.
    if (!isOpen) return;
    const again = (): void =>
      void refresh()
        .then(() => tell(measured))
        .then(plan, plan);
    // Other parts report a database that does not answer.
    cancel = clock.after(isInexact(measured) ? measureSoon : measureEvery, again);
  };
  tell(measured);
  plan();
  return {
    clocks,
    refresh: async (): Promise<Measured> => {
      await refresh();
      return measured;
    },
    /** A measurement that begins after the call: one in progress may have got its answer before the machine was paused. */
    measureAfresh: async (): Promise<Measured> => {
      await measuring?.catch(() => undefined);
      await refresh();
      return measured;
    },
    current: async (): Promise<Measured> => {
      if (hasMoved(measured.offset, offsetNow(clocks))) await refresh();
      return measured;
    },
    end: (): void => {
      isOpen = false;
      cancel();
    },
  };
}

/**
 * Asks the database for its time at the start, every minute, and before an answer if the machine may have been suspended: the counter of
 * milliseconds stands still then, while the clock continues or is set afterwards. Servers use this time to notice that another one is gone,
 * lease their numbers, hold texts, reserve shares of quotas and assign ids. Other times from core, such as the end of a token, still come from
 * the clock of the server: it must be right.
 */
export async function startDatabaseClock(deps: DatabaseClockDeps): Promise<DatabaseClock> {
  const { clocks, refresh, measureAfresh, current, end } = await startMeasuring(deps);
  let known = 0;
  /** How far the time of a write may be ahead of the database's clock: it never goes back behind that of a write by another member. */
  let allowance = 2 * tolerance;
  return {
    now: async () => Math.floor((await current()).least + clocks.counter()),
    async wasLate(written) {
      const { least } = await current();
      if (written - least - clocks.counter() <= allowance) return false;
      const found = await measureAfresh();
      allowance = Math.max(allowance, written - found.least - clocks.counter() + tolerance);
      return found.least - least >= tolerance;
    },
    async ahead() {
      known = nearest(known, await current(), offsetNow(clocks));
      return known;
    },
    async assert() {
      const { ahead } = await refresh();
      if (Math.abs(ahead) > mostSkew) throw new TelexError("storage_unavailable", { cause: new Error(hintFor(ahead)) });
    },
    end,
  };
}
