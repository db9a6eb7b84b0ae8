import type { Clock } from "@telex/core";
import type { Account } from "../account/account.ts";
import type { BotFaults } from "../link/faults.ts";
import type { Standing } from "../account/standing.ts";
import type { Budget } from "../link/budget.ts";
import type { Version } from "../wire/dialect.ts";
import { type Asked, askOverHttp } from "../link/http-client.ts";
import type { Kept } from "../link/keep-socket.ts";
import { placeOf } from "../link/open-socket.ts";
import { question, isDone, createHttpLink } from "./http-link.ts";

/** Milliseconds before the first attempt to reach the implementation again, and the maximum before later ones. */
const waits = { first: 1000, most: 60_000 } as const;

interface KeepHttpDeps {
  readonly clock: Clock;
  readonly faults: BotFaults;
  readonly standing: Pick<Standing, "failed">;
  /** The waiting actions of all accounts. */
  readonly waiting: Budget;
}

/** An implementation that takes actions as requests, and posts its events. */
export interface KeptHttp extends Kept {
  /**
   * Takes a posted event as soon as there is room for it. False if too many wait.
   * @param isOld true for an event that says nothing about the current state
   */
  take(event: string, version: Version, isOld: boolean): Promise<boolean>;
}

/** The first of these versions that the implementation answers to, or null. */
async function detectVersion(
  versions: readonly Version[],
  ask: (version: Version, text: string) => Promise<Asked>,
): Promise<Version | null> {
  for (const version of versions) {
    const answer = await ask(version, question);
    if (answer.outcome !== "answered") return null;
    if (isDone(answer.frame)) return version;
  }
  return null;
}

/** A link, and the version that is spoken on it. */
type Opened = ReturnType<typeof createHttpLink> & { readonly version: Version };

/** Attempts with growing pauses, until they are ended. */
function createAttempts(clock: Clock) {
  let wait: number = waits.first;
  let cancel = (): void => {};
  return {
    later(run: () => void): void {
      cancel = clock.after(wait, run);
      wait = Math.min(2 * wait, waits.most);
    },
    cancel: () => cancel(),
    end(): void {
      cancel();
      wait = waits.first;
    },
  };
}

/** Reaches an implementation over HTTP. Tries again, with growing pauses, while it does not answer. */
export function keepHttp(account: Account, address: string, deps: KeepHttpDeps): KeptHttp {
  const { clock, faults, standing, waiting } = deps;
  const { token, protocol, account: name } = account.options;
  const stopped = new AbortController();
  let current: Opened | null = null;
  const attempts = createAttempts(clock);

  const ask = (version: Version, text: string) =>
    askOverHttp({ address, token, version, signal: stopped.signal }, text);
  const again = (): void => {
    current = null;
    if (stopped.signal.aborted) return;
    faults.tell(name, "unreachable");
    standing.failed("connect_failed", `The bot does not answer get_status at ${placeOf(address)}.`);
    attempts.later(() => void find(null));
  };
  const open = (version: Version) => {
    attempts.end();
    const opened: Opened = {
      version,
      ...createHttpLink({
        ask: (text) => ask(version, text),
        refused: () => void find(opened),
        ended: () => current === opened && again(),
        waiting,
      }),
    };
    current = opened;
    opened.start(account.connect(opened.link, "universal", version));
    return opened;
  };
  const detect = () => detectVersion(protocol === undefined ? [11, 12] : [protocol], ask);
  /** The link of the version that the implementation has shown. A link of another version ends, with everything that waits on it. */
  const speak = (version: Version): Opened => {
    const old = current;
    if (old?.version === version) return old;
    current = null;
    old?.end();
    return open(version);
  };
  /** @param old the link whose implementation may speak another version now; null without one */
  async function find(old: Opened | null): Promise<void> {
    const version = await detect();
    if (stopped.signal.aborted || current !== old) return;
    if (version !== null) speak(version);
    else if (old === null) again();
  }
  void find(null);
  return {
    async retry() {
      attempts.cancel();
      if (current === null && !stopped.signal.aborted) await find(null);
    },
    stop() {
      stopped.abort();
      attempts.cancel();
      current?.end();
    },
    // An event shows the version, and probably that the implementation runs: opening asks it.
    take: (event, version, isOld) =>
      (isOld && current !== null ? current : speak(protocol ?? version)).take(event, isOld),
  };
}
