import { type Clock, type Logger, systemClock, TelexError } from "@telex/core";
import type { Db, Document } from "mongodb";
import { inTime } from "./in-time.ts";
import { skew as allowed } from "./leases.ts";

/** Milliseconds by which a clock may be wrong: more shows in the times of messages and the ends of tokens. */
const deadly = 11_000;
/** Milliseconds. Less than this may be the time that the question took. */
const certain = 1000;
/** Milliseconds between two looks. */
const lookEvery = 60_000;

/** The clock that all servers share, and how that of this server compares with it. */
export interface DatabaseClock {
  /**
   * Unix milliseconds. Never ahead of the database, and behind it by the time that its last answer took. If somebody sets the clock of this
   * server, this one does not move.
   */
  readonly now: () => number;
  /** Milliseconds by which the clock of this server is ahead. Changes only by a second or more, and begins at 0. */
  readonly ahead: () => number;
  /**
   * Compares them now.
   * @throws TelexError `storage_unavailable` if they differ by more than 11 s
   */
  readonly assert: () => Promise<void>;
  readonly end: () => void;
}

const timeOf = ({ localTime }: Document): number | null => (localTime instanceof Date ? localTime.getTime() : null);

/** What one question shows. */
interface Measured {
  /** What is to be added to `performance.now()`. */
  readonly origin: number;
  /** Milliseconds by which a clock is ahead of the database's, as far as it is certain: 0 within the time that the question takes. */
  readonly ahead: number;
}

/** @param before what was measured before: it says more about the time than a question that was answered late */
async function measure(
  db: Pick<Db, "command">,
  clock: Pick<Clock, "now">,
  before: Measured | null = null,
): Promise<Measured> {
  const [asked, begun] = [clock.now(), performance.now()];
  const theirs = timeOf(await db.command({ hello: 1 }));
  const [answered, ended] = [clock.now(), performance.now()];
  const time = theirs ?? answered;
  const isLate = ended - begun > certain;
  return {
    origin: isLate && before !== null ? before.origin : time - ended,
    ahead: time < asked ? asked - time : Math.min(0, answered - time),
  };
}

const timeAt = ({ origin }: Measured): number => Math.floor(origin + performance.now());

/** Unix milliseconds of the database. */
export const askTime = async (db: Pick<Db, "command">): Promise<number> => timeAt(await measure(db, systemClock));

const sentence = (ahead: number): string =>
  `The clock of this server is ${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead > 0 ? "ahead of" : "behind"} that of MongoDB. ` +
  "Servers may differ by 5 s: set the clocks of both by NTP.";

/**
 * Asks the database for its time when it begins and every minute. By this time, servers take each other for gone, lease their numbers, hold
 * texts, reserve shares of quotas and give ids. The other times that core gives, such as the end of a token, still come from the clock of the
 * server: it must not be wrong.
 */
export async function startDatabaseClock({
  db,
  clock,
  log,
}: {
  readonly db: Pick<Db, "command">;
  readonly clock: Clock;
  readonly log: Logger | null;
}): Promise<DatabaseClock> {
  let measured = await measure(db, clock);
  let known = 0;
  let isOpen = true;
  let cancel = (): void => undefined;
  let wasWrong = false;
  const tell = ({ ahead }: Measured): void => {
    const isWrong = Math.abs(ahead) > allowed;
    if (isWrong) log?.warn("storage.clock_wrong", { milliseconds: ahead, hint: sentence(ahead) });
    else if (wasWrong) log?.info("storage.clock_right");
    wasWrong = isWrong;
  };
  const look = async (): Promise<void> => {
    measured = await inTime(lookEvery, measure(db, clock, measured));
    tell(measured);
  };
  const plan = (): void => {
    // It may have ended during a look.
    if (!isOpen) return;
    // A database that does not answer is told elsewhere.
    cancel = clock.after(
      lookEvery,
      () =>
        void look()
          .catch(() => undefined)
          .then(plan),
    );
  };
  tell(measured);
  plan();
  return {
    now: () => timeAt(measured),
    ahead() {
      const ahead = clock.now() - timeAt(measured);
      if (Math.abs(ahead - known) >= certain) known = ahead;
      return known;
    },
    async assert() {
      measured = await measure(db, clock, measured);
      const { ahead } = measured;
      if (Math.abs(ahead) > deadly) throw new TelexError("storage_unavailable", { cause: new Error(sentence(ahead)) });
    },
    end() {
      isOpen = false;
      cancel();
    },
  };
}
