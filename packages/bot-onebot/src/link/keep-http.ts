import type { Clock } from "@telex/core";
import type { Account } from "../account/account.ts";
import type { BotFaults } from "../account/faults.ts";
import type { Standing } from "../account/standing.ts";
import type { Budget } from "./budget.ts";
import type { Version } from "../wire/dialect.ts";
import { type Asked, askOverHttp } from "./http-client.ts";
import { type Kept, placeOf } from "./keep-socket.ts";
import type { Link, LinkHooks } from "./link.ts";

/** Milliseconds before the first attempt to reach the implementation again, and before all later ones at most. */
const waits = { first: 1000, most: 60_000 } as const;

/** Events that may wait until there is room for them. */
const mostHeld = 64;

/** What every implementation answers. */
const question = JSON.stringify({ action: "get_status", params: {}, echo: "alive" });

/** What keeping a connection needs. */
interface KeepHttpDeps {
  readonly clock: Clock;
  readonly faults: BotFaults;
  readonly standing: Pick<Standing, "failed">;
  /** What waits of all accounts. */
  readonly waiting: Budget;
}

/** An implementation that takes actions as requests, and posts its events. */
export interface KeptHttp extends Kept {
  /**
   * Takes an event that was posted, as soon as there is room for it. False if too many wait for that.
   * @param isOld true for one that says nothing of what holds now
   */
  take(event: string, version: Version, isOld: boolean): Promise<boolean>;
}

/** What an open link needs. */
interface HttpLinkDeps {
  /** Sends the frame of an action as a request. */
  readonly ask: (text: string) => Promise<Asked>;
  /** The link has ended. */
  readonly ended: () => void;
  readonly waiting: Budget;
}

/** Requests as a link. It is open until one of them reaches nobody. */
function createHttpLink({ ask, ended, waiting }: HttpLinkDeps) {
  let hooks: LinkHooks | null = null;
  let gate: PromiseWithResolvers<void> | null = null;
  let held = 0;
  let isOpen = true;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    gate?.resolve();
    hooks?.closed();
    ended();
  };
  const send = async (text: string): Promise<void> => {
    const asked = await ask(text);
    if (!isOpen) return;
    // The answer comes before the end: with the end of a link, everything that has no answer is lost.
    if (asked.outcome !== "lost") hooks?.received(JSON.stringify(asked.frame));
    if (asked.outcome === "unreachable") end();
  };
  /** False if too many wait already, or if the link has ended. */
  const waitForRoom = async (size: number): Promise<boolean> => {
    const closed = gate;
    if (closed === null || !isOpen) return isOpen;
    if (held >= mostHeld || waiting.isUsedUp) return false;
    held += 1;
    waiting.take(size);
    await closed.promise;
    waiting.give(size);
    held -= 1;
    // What has waited longer may have closed the gate again.
    return waitForRoom(size);
  };
  const link: Link = {
    send(text) {
      if (isOpen) void send(text);
      return isOpen;
    },
    waiting: () => 0,
    ping: () => void (isOpen && send(question)),
    close: end,
    terminate: end,
    pause: () => void (gate ??= Promise.withResolvers()),
    resume() {
      gate?.resolve();
      gate = null;
    },
  };
  return {
    link,
    end,
    start: (given: LinkHooks) => void (hooks = given),
    async take(event: string, isOld: boolean): Promise<boolean> {
      const hasRoom = await waitForRoom(event.length);
      if (hasRoom) hooks?.received(event, isOld);
      return hasRoom;
    },
  };
}

/** Reaches an implementation over HTTP. Tries again, rarer each time, while it does not answer. */
export function keepHttp(
  account: Account,
  address: string,
  { clock, faults, standing, waiting }: KeepHttpDeps,
): KeptHttp {
  const { token, protocol, account: name } = account.options;
  const stopped = new AbortController();
  let current: ReturnType<typeof createHttpLink> | null = null;
  let cancel = (): void => {};
  let wait: number = waits.first;

  const ask = (version: Version, text: string) =>
    askOverHttp({ address, token, version, signal: stopped.signal }, text);
  const again = (): void => {
    current = null;
    if (stopped.signal.aborted) return;
    faults.tell(name, "unreachable");
    standing.failed("connect_failed", `The bot does not answer get_status at ${placeOf(address)}.`);
    cancel = clock.after(wait, () => void find());
    wait = Math.min(2 * wait, waits.most);
  };
  const open = (version: Version) => {
    cancel();
    wait = waits.first;
    const opened = createHttpLink({ ask: (text) => ask(version, text), ended: again, waiting });
    current = opened;
    opened.start(account.connect(opened.link, "universal", version));
    return opened;
  };
  /** The version that the implementation answers to; null if it does not. */
  const detect = async (): Promise<Version | null> => {
    for (const version of protocol === undefined ? ([11, 12] as const) : [protocol]) {
      const asked = await ask(version, question);
      if (asked.outcome !== "answered") return null;
      if ("status" in asked.frame && asked.frame.status !== "failed") return version;
    }
    return null;
  };
  async function find(): Promise<void> {
    const version = await detect();
    if (stopped.signal.aborted || current !== null) return;
    if (version === null) again();
    else open(version);
  }
  void find();
  return {
    async retry() {
      cancel();
      if (current === null && !stopped.signal.aborted) await find();
    },
    stop() {
      stopped.abort();
      cancel();
      current?.end();
    },
    // An event shows the version, and probably that the implementation runs: opening asks it.
    take: (event, version, isOld) => (current ?? open(protocol ?? version)).take(event, isOld),
  };
}
