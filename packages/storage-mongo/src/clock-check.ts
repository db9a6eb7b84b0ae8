import { type Clock, type Logger, TelexError } from "@telex/core";
import type { Db, Document } from "mongodb";
import { skew as allowed } from "./leases.ts";

/** Milliseconds by which a clock may be wrong before other servers take this one for gone, or this one the others. */
const deadly = 11_000;
/** Milliseconds between two looks. */
const lookEvery = 60_000;

/** How the clock of this server compares with that of the database. */
interface ClockCheck {
  /** False while this server must not judge by its clock whether others are gone. */
  readonly isTrusted: () => boolean;
  /**
   * Compares them now.
   * @throws TelexError `storage_unavailable` if they differ so much that transactions of servers are aborted
   */
  readonly assert: () => Promise<void>;
  readonly end: () => void;
}

const timeOf = ({ localTime }: Document): number | null => (localTime instanceof Date ? localTime.getTime() : null);

/** Milliseconds by which a clock is ahead of the database's, as far as it is certain: 0 within the time that the question takes. */
async function measure(db: Pick<Db, "command">, clock: Pick<Clock, "now">): Promise<number> {
  const asked = clock.now();
  const theirs = timeOf(await db.command({ hello: 1 }));
  const answered = clock.now();
  if (theirs === null) return 0;
  return theirs < asked ? asked - theirs : Math.min(0, answered - theirs);
}

const sentence = (ahead: number): string =>
  `The clock of this server is ${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead > 0 ? "ahead of" : "behind"} that of MongoDB. ` +
  "Servers may differ by 5 s: set the clocks of both by NTP.";

/**
 * Compares the clocks when it begins and every minute. Servers take each other for gone by their clocks, so one whose clock is wrong would
 * have its transactions aborted without learning why.
 */
export async function startClockCheck({
  db,
  clock,
  log,
}: {
  readonly db: Pick<Db, "command">;
  readonly clock: Clock;
  readonly log: Logger | null;
}): Promise<ClockCheck> {
  let ahead = 0;
  let isOpen = true;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    const wasWrong = Math.abs(ahead) > allowed;
    ahead = await measure(db, clock);
    const isWrong = Math.abs(ahead) > allowed;
    if (isWrong) log?.warn("storage.clock_wrong", { milliseconds: ahead, hint: sentence(ahead) });
    else if (wasWrong) log?.info("storage.clock_right");
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
  await look();
  plan();
  return {
    isTrusted: () => Math.abs(ahead) <= allowed,
    async assert() {
      ahead = await measure(db, clock);
      if (Math.abs(ahead) > deadly) throw new TelexError("storage_unavailable", { cause: new Error(sentence(ahead)) });
    },
    end() {
      isOpen = false;
      cancel();
    },
  };
}
