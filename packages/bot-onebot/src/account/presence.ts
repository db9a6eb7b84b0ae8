import type { Clock } from "@telex/core";
import type { Dialect, Identity } from "../wire/dialect.ts";
import type { BotEvent } from "../wire/events.ts";
import { type Answer, type Ask, meaningOf } from "../wire/frames.ts";

/** Milliseconds without heartbeats after which the implementation is asked. */
const askAfter = 30_000;
/** Milliseconds of silence after which a connection is suspect, unless its heartbeats are rarer. */
export const suspectAfter = 30_000;

/** Whether the account of an open connection is signed in, and who it is. */
export interface Presence {
  readonly isOnline: boolean;
  readonly identity: Identity;
  /** Milliseconds without a frame after which a connection is suspect. */
  silence(): number;
  /** Takes notice of what has come. */
  note(event: BotEvent, identity: Identity | null): void;
  /** A connection that takes actions is there: asks for the state, and again from time to time. */
  start(): void;
  /** Takes notice of what an action was answered. */
  noteAnswer(answer: Answer): void;
  stop(): void;
}

/** What {@link createPresence} needs. */
export interface PresenceDeps {
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly ask: Ask;
  /** The account is online from now on: it was not before. */
  readonly cameOnline: () => void;
}

const nobody: Identity = { ext: "", self: null };

/** Whether an account is signed in: at first it is not. */
function createOnline(cameOnline: () => void) {
  let isOnline = false;
  return {
    is: (): boolean => isOnline,
    become(now: boolean): void {
      const isNews = now && !isOnline;
      isOnline = now;
      if (isNews) cameOnline();
    },
  };
}

/** The account of a new connection: it is offline until the implementation has said that it is not. */
export function createPresence({ clock, dialect, ask, cameOnline }: PresenceDeps): Presence {
  const online = createOnline(cameOnline);
  let isStopped = false;
  let interval: number | null = null;
  let identity = nobody;
  let cancel = (): void => {};

  const learn = (found: Identity | null): void => {
    const isSame = found?.ext === identity.ext && identity.self === null;
    if (found !== null && (identity.ext === "" || isSame)) identity = found;
  };
  const askWho = async (): Promise<boolean> => {
    const answer = await ask(dialect.login);
    const ext = answer.outcome === "ok" ? dialect.readLogin(answer.data) : null;
    if (ext !== null) learn({ ext, self: null });
    return ext !== null;
  };
  const askStatus = async (): Promise<void> => {
    const answer = await ask(dialect.status);
    if (isStopped || answer.outcome === "lost" || answer.outcome === "unsent") return;
    if (answer.outcome === "ok") learn(dialect.readIdentity(answer.data));
    const told = answer.outcome === "ok" ? dialect.readStatus(answer.data, identity.ext || null) : null;
    const isKnown = identity.ext !== "" || (await askWho());
    // Where the implementation cannot tell, one that knows who it is counts as online; 11 says so of `null`.
    if (!isStopped) online.become(told ?? (isKnown || dialect.version === 11));
  };
  const poll = (): void => {
    if (isStopped) return;
    cancel = clock.after(askAfter, poll);
    if (interval === null || !online.is()) void askStatus();
  };

  return {
    start() {
      cancel();
      void askStatus();
      cancel = clock.after(askAfter, poll);
    },
    get isOnline() {
      return online.is();
    },
    get identity() {
      return identity;
    },
    silence: () => Math.max(suspectAfter, 3 * (interval ?? 0)),
    note(event, found) {
      learn(found);
      if (event.kind === "heartbeat") interval = event.interval ?? askAfter;
      if (event.kind === "heartbeat" || event.kind === "state") online.become(event.isOnline ?? online.is());
      // Who is told what others say is signed in.
      if (event.kind === "message") online.become(true);
    },
    noteAnswer(answer) {
      if (answer.outcome === "failed" && meaningOf(answer.retcode) === "offline") online.become(false);
    },
    stop() {
      isStopped = true;
      online.become(false);
      cancel();
    },
  };
}
