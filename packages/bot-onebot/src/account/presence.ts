import type { Clock } from "@telex/core";
import type { Dialect, Identity } from "../wire/dialect.ts";
import type { BotEvent } from "../wire/events.ts";
import { type Answer, type Ask, meaningOf } from "../wire/frames.ts";
import type { Standing } from "./standing.ts";

/** Milliseconds without heartbeats after which the implementation is asked. */
const askAfter = 30_000;
/** Milliseconds of silence after which a connection is suspect, unless its heartbeats are rarer. */
export const suspectAfter = 30_000;

const signedOut = "The bot is connected, and says that its account is not signed in to the network.";
const noAnswer = "The bot is connected, and does not answer get_status.";

/** The account of an open connection, and whether it is signed in. */
export interface Presence {
  readonly isOnline: boolean;
  readonly identity: Identity;
  /** The program at the other end and its version; null if it has not said. */
  readonly implementation: string | null;
  /** Milliseconds without a frame after which a connection is suspect. */
  silence(): number;
  /** Notes an event. */
  note(event: BotEvent, identity: Identity | null): void;
  /** Called when a connection takes actions. Asks for the state, and again from time to time. */
  start(): void;
  /** Notes the answer to an action. */
  noteAnswer(answer: Answer): void;
  stop(): void;
}

export interface PresenceDeps {
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly ask: Ask;
  /** Called when the account has come online. */
  readonly cameOnline: () => void;
  /** Called for each change; `failed` also says what is wrong. */
  readonly standing: Pick<Standing, "changed" | "failed">;
}

const nobody: Identity = { ext: "", self: null };

/** The last reports about the account of a connection. */
function createKnown({ standing, cameOnline }: Pick<PresenceDeps, "standing" | "cameOnline">) {
  const known = { isOnline: false, isStopped: false, implementation: null as string | null, identity: nobody };
  return {
    known,
    set(isOnline: boolean): void {
      const was = known.isOnline;
      known.isOnline = isOnline;
      if (!isOnline && !known.isStopped) standing.failed("signed_out", signedOut);
      else if (was !== isOnline) standing.changed();
      if (isOnline && !was) cameOnline();
    },
    learn(found: Identity | null): void {
      const { identity } = known;
      const isSame = found?.ext === identity.ext && identity.self === null;
      if (found === null || (identity.ext !== "" && !isSame)) return;
      known.identity = found;
      if (found.ext !== identity.ext) standing.changed();
    },
    called(implementation: string | null): void {
      known.implementation = implementation;
      standing.changed();
    },
  };
}

/** The questions to an implementation about its account. */
function createQuestions(
  { dialect, ask, standing }: Omit<PresenceDeps, "clock">,
  about: ReturnType<typeof createKnown>,
) {
  const { known } = about;
  const askWho = async (): Promise<boolean> => {
    const answer = await ask(dialect.login);
    const ext = answer.outcome === "ok" ? dialect.readLogin(answer.data) : null;
    if (ext !== null) about.learn({ ext, self: null });
    return ext !== null;
  };
  const askStatus = async (): Promise<void> => {
    const answer = await ask(dialect.status);
    if (known.isStopped || answer.outcome === "unsent") return;
    if (answer.outcome === "lost") return standing.failed("no_answer", noAnswer);
    if (answer.outcome === "ok") about.learn(dialect.readIdentity(answer.data));
    const status = answer.outcome === "ok" ? dialect.readStatus(answer.data, known.identity.ext || null) : null;
    const isKnown = known.identity.ext !== "" || (await askWho());
    // If the implementation cannot say, one that knows its account counts as online; OneBot 11 defines this for `null`.
    if (!known.isStopped) about.set(status ?? (isKnown || dialect.version === 11));
  };
  const askAbout = async (): Promise<void> => {
    const answer = await ask(dialect.about);
    if (!known.isStopped && answer.outcome === "ok") about.called(dialect.readAbout(answer.data));
  };
  return { askStatus, askAbout };
}

/** The account of a new connection, which is offline until the implementation says otherwise. */
export function createPresence({ clock, dialect, ask, ...deps }: PresenceDeps): Presence {
  const about = createKnown(deps);
  const { known } = about;
  const { askStatus, askAbout } = createQuestions({ dialect, ask, ...deps }, about);
  let interval: number | null = null;
  let cancel = (): void => {};

  const poll = (): void => {
    if (known.isStopped) return;
    cancel = clock.after(askAfter, poll);
    if (interval === null || !known.isOnline) void askStatus();
  };

  return {
    start() {
      cancel();
      void askStatus();
      if (known.implementation === null) void askAbout();
      cancel = clock.after(askAfter, poll);
    },
    get isOnline() {
      return known.isOnline;
    },
    get implementation() {
      return known.implementation;
    },
    get identity() {
      return known.identity;
    },
    silence: () => Math.max(suspectAfter, 3 * (interval ?? 0)),
    note(event, found) {
      about.learn(found);
      if (event.kind === "heartbeat") interval = event.interval ?? askAfter;
      if ((event.kind === "heartbeat" || event.kind === "state") && event.isOnline !== null) about.set(event.isOnline);
      // An account that receives messages of others is signed in.
      if (event.kind === "message") about.set(true);
    },
    noteAnswer(answer) {
      if (answer.outcome === "failed" && meaningOf(answer.retcode) === "offline") about.set(false);
    },
    stop() {
      known.isStopped = true;
      known.isOnline = false;
      cancel();
    },
  };
}
