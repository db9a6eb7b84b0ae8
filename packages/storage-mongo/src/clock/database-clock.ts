import { type Clock, type Logger, systemClock, TelexError } from "@telex/core";
import type { Db, Document } from "mongodb";
import { inTime } from "../driver/in-time.ts";
import { skew as allowed } from "./clock-skew.ts";

/** Milliseconds by which a clock may be wrong: more shows in the times of messages and the ends of tokens. */
const deadly = 11_000;
/** Milliseconds. Less than this may be the time that the question took. */
const certain = 1000;
/** Milliseconds between two looks, and until the next one if the last answer came too late to say much. */
const lookEvery = 60_000;
const lookSoon = 1000;
/** Milliseconds that a question may take. */
const mostTime = 10_000;
/** Questions of one look: more than one only if the machine was suspended during the one before. */
const mostQuestions = 3;

/** The clock that all servers share, and how that of this server compares with it. */
export interface DatabaseClock {
  /**
   * Unix milliseconds. Never ahead of the database, and behind it by the time that its last answer took. If somebody sets the clock of this
   * server, this one does not move. If the machine may have been suspended since the last look, asks the database first.
   * @throws MongoError (as a rejection) if the database does not answer then
   */
  readonly now: () => Promise<number>;
  /**
   * Milliseconds by which the clock of this server is certainly ahead. Changes only by a second or more, and begins at 0. Asks as `now` does.
   * @throws MongoError (as a rejection) as `now` does
   */
  readonly ahead: () => Promise<number>;
  /**
   * True if the database has written something at `written`, in Unix milliseconds, that is seconds later than the time that this server knew, and
   * if the database says so when it is asked again. Nothing else shows that a virtual machine was paused: all its clocks stand still.
   * @throws MongoError (as a rejection) as `now` does
   */
  readonly wasLate: (written: number) => Promise<boolean>;
  /**
   * Compares them now.
   * @throws TelexError `storage_unavailable` if they differ by more than 11 s
   */
  readonly assert: () => Promise<void>;
  readonly end: () => void;
}

interface Clocks {
  readonly clock: Pick<Clock, "now">;
  /** Milliseconds since some moment. Nobody sets it, and it stands still while the machine is suspended. */
  readonly counter: () => number;
}

const counter = (): number => performance.now();

const timeOf = ({ localTime }: Document): number | null => (localTime instanceof Date ? localTime.getTime() : null);

/** The result of one measurement. */
interface Measured {
  /** The range to add to the counter: the database took its time between the question and the answer. */
  readonly least: number;
  readonly most: number;
  /** The difference between the counter and the clock of this server. It changes if the clock is set, or if the machine is suspended. */
  readonly apart: number;
  /** Milliseconds by which a clock is ahead of the database's, as far as it is certain: 0 within the time that the question takes. */
  readonly ahead: number;
}

const apartNow = ({ clock, counter: count }: Clocks): number => clock.now() - count();

/** True if the clock of this server was set, or the machine was suspended. */
const hasMoved = (before: number, now: number): boolean => Math.abs(now - before) >= certain;

async function ask(db: Pick<Db, "command">, { clock, counter: count }: Clocks): Promise<Measured> {
  const [asked, begun] = [clock.now(), count()];
  const theirs = timeOf(await db.command({ hello: 1 }));
  const [answered, ended] = [clock.now(), count()];
  const time = theirs ?? answered;
  return {
    least: time - ended,
    most: time - begun,
    apart: answered - ended,
    ahead: time < asked ? asked - time : Math.min(0, answered - time),
  };
}

/** @param before what was measured before: it says more about the time than a question that was answered late */
async function measure(db: Pick<Db, "command">, clocks: Clocks, before: Measured | null = null): Promise<Measured> {
  for (let questions = 1; ; questions += 1) {
    const apart = apartNow(clocks);
    const measured = await ask(db, clocks);
    // A machine that was suspended during the question cannot know the age of the answer.
    if (hasMoved(apart, measured.apart) && questions < mostQuestions) continue;
    if (before === null || hasMoved(before.apart, measured.apart)) return measured;
    const isPossible = before.least <= measured.most && measured.least <= before.most;
    const isKept = isPossible && isVague(measured) && widthOf(before) <= widthOf(measured);
    return isKept ? { ...measured, least: before.least, most: before.most } : measured;
  }
}

const widthOf = ({ least, most }: Measured): number => most - least;
const isVague = (measured: Measured): boolean => widthOf(measured) > certain;

/** Unix milliseconds of the database. */
export async function askTime(db: Pick<Db, "command">): Promise<number> {
  const { least } = await measure(db, { clock: systemClock, counter });
  return Math.floor(least + counter());
}

/** How far a clock is ahead that was taken for `known` ahead, if that can still be true. */
function nearest(known: number, { least, most }: Measured, apart: number): number {
  const found = Math.min(Math.max(known, apart - most), apart - least);
  return Math.abs(found - known) >= certain ? found : known;
}

const sentence = (ahead: number): string =>
  `The clock of this server is ${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead > 0 ? "ahead of" : "behind"} that of MongoDB. ` +
  "Servers may differ by 5 s: set the clocks of both by NTP.";

/** Logs while the clock of this server is wrong, and when it is right again. */
function createJournal(log: Logger | null) {
  let wasWrong = false;
  return ({ ahead }: Measured): void => {
    const isWrong = Math.abs(ahead) > allowed;
    if (isWrong) log?.warn("storage.clock_wrong", { milliseconds: ahead, hint: sentence(ahead) });
    else if (wasWrong) log?.info("storage.clock_right");
    wasWrong = isWrong;
  };
}

interface DatabaseClockDeps extends Partial<Pick<Clocks, "counter">> {
  readonly db: Pick<Db, "command">;
  readonly clock: Clock;
  readonly log: Logger | null;
}

/** Looks now, and then again and again. */
async function startLooking({ db, clock, log, counter: count = counter }: DatabaseClockDeps) {
  const clocks = { clock, counter: count };
  const tell = createJournal(log);
  let measured = await measure(db, clocks);
  let looking: Promise<void> | null = null;
  let isOpen = true;
  let cancel = (): void => undefined;
  const run = async (): Promise<void> => {
    measured = await inTime(mostTime, measure(db, clocks, measured));
  };
  /** Callers share a look that is in progress. */
  const look = (): Promise<void> => (looking ??= run().finally(() => (looking = null)));
  const plan = (): void => {
    // It may have ended during a look.
    if (!isOpen) return;
    const again = (): void =>
      void look()
        .then(() => tell(measured))
        .then(plan, plan);
    // Other parts report a database that does not answer.
    cancel = clock.after(isVague(measured) ? lookSoon : lookEvery, again);
  };
  tell(measured);
  plan();
  return {
    clocks,
    look: async (): Promise<Measured> => {
      await look();
      return measured;
    },
    /** A look that begins after the call: one in progress may have got its answer before a pause of the machine. */
    lookAgain: async (): Promise<Measured> => {
      await looking?.catch(() => undefined);
      await look();
      return measured;
    },
    current: async (): Promise<Measured> => {
      if (hasMoved(measured.apart, apartNow(clocks))) await look();
      return measured;
    },
    end: (): void => {
      isOpen = false;
      cancel();
    },
  };
}

/**
 * Asks the database for its time when it begins, every minute, and before it answers if the machine may have been suspended: what counts
 * milliseconds stands still then, while the clock goes on or is set afterwards. By this time, servers take each other for gone, lease their
 * numbers, hold texts, reserve shares of quotas and give ids. The other times that core gives, such as the end of a token, still come from the
 * clock of the server: it must not be wrong.
 */
export async function startDatabaseClock(deps: DatabaseClockDeps): Promise<DatabaseClock> {
  const { clocks, look, lookAgain, current, end } = await startLooking(deps);
  let known = 0;
  /** By how much what the database writes may be ahead of its clock: it never goes back behind what another member has written. */
  let allowance = 2 * certain;
  return {
    now: async () => Math.floor((await current()).least + clocks.counter()),
    async wasLate(written) {
      const { least } = await current();
      if (written - least - clocks.counter() <= allowance) return false;
      const found = await lookAgain();
      allowance = Math.max(allowance, written - found.least - clocks.counter() + certain);
      return found.least - least >= certain;
    },
    async ahead() {
      known = nearest(known, await current(), apartNow(clocks));
      return known;
    },
    async assert() {
      const { ahead } = await look();
      if (Math.abs(ahead) > deadly) throw new TelexError("storage_unavailable", { cause: new Error(sentence(ahead)) });
    },
    end,
  };
}
