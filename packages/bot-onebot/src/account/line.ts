import type { Link } from "../link/link.ts";
import { type Dialect, type Version, versionOf } from "../wire/dialect.ts";
import type { MessageEvent } from "../wire/events.ts";
import { type Ask, readAnswer, readJson } from "../wire/frames.ts";
import type { AccountDeps } from "./account-deps.ts";
import { createCalls } from "./calls.ts";
import { createCatchUp } from "./catch-up.ts";
import { createFlow } from "./flow.ts";
import { createOpen } from "./media.ts";
import type { OneBotAccount } from "./options.ts";
import { suspectAfter } from "./presence.ts";
import { createReceiving } from "./receive.ts";
import { createSession, type Session } from "./session.ts";
import { createSlots, type Slots } from "./slots.ts";
import type { Standing } from "./standing.ts";
import { createUploads, type Uploads } from "./uploads.ts";

/** Milliseconds after which a connection that has not shown its version speaks 11. */
const versionTime = 2000;

/** The handlers for each kind of frame. */
interface FrameHandlers {
  readonly answered: (answer: NonNullable<ReturnType<typeof readAnswer>>) => void;
  readonly event: (frame: unknown, version: Version) => void;
  readonly wrong: () => void;
}

function readFrame(text: string, { answered, event, wrong }: FrameHandlers): void {
  const frame = readJson(text);
  const answer = readAnswer(frame);
  const version = versionOf(frame);
  if (answer !== null) answered(answer);
  else if (version === null) wrong();
  else event(frame, version);
}

/** Asks for what was missed. Several servers may hear an account: the one that has it asks. */
function createMissed(
  deps: Parameters<typeof createCatchUp>[0],
  { session, isHeld }: Pick<LineHooks, "isHeld"> & { readonly session: () => Session | null },
) {
  const { run, stop } = createCatchUp(deps);
  const catchUp = (dialect: Dialect, ext: string): void => {
    if (isHeld()) run(dialect, ext);
  };
  return {
    catchUp,
    stop,
    /** This server has the account now. It may have been connected before. */
    held(): void {
      const now = session();
      if (now?.presence.isOnline === true) catchUp(now.dialect, now.presence.identity.ext);
    },
  };
}

/** Called when the connections of an account change. */
interface LineHooks {
  readonly standing: Standing;
  /** The last one has ended. */
  readonly emptied: () => void;
  /** True while this server has the account. */
  readonly isHeld: () => boolean;
}

interface DialogueDeps extends Pick<AccountDeps, "clock" | "faults" | "inbox" | "fetchMedia"> {
  readonly account: string;
  readonly hooks: LineHooks;
  /** The connection that takes actions, or null. */
  readonly api: () => Link | null;
  readonly session: () => Session | null;
}

/** Sends actions to an implementation, and handles its events. */
function createDialogue({ account, hooks, api, session, ...deps }: DialogueDeps) {
  const { clock, faults, inbox, fetchMedia } = deps;
  const calls = createCalls(clock);
  const uploads = createUploads(clock);
  const ask: Ask = async (action, signal) => {
    const self = session()?.presence.identity.self ?? null;
    const answer = await calls.ask(api(), { ...action, self }, signal);
    session()?.presence.noteAnswer(answer);
    return answer;
  };
  const open = createOpen({ ask, fetchMedia, readUrl: (data) => session()?.dialect.readUrl(data) ?? null });
  const receiving = createReceiving({ account, clock, faults, inbox, ask });
  const missed = createMissed({ account, clock, faults, inbox, ask, open, receiving }, { session, ...hooks });
  return {
    calls,
    uploads,
    ask,
    begin: (version: Version): Session =>
      createSession(version, {
        clock,
        ask,
        open,
        standing: hooks.standing,
        fault: (cause) => faults.tell(account, cause),
        message: (event: MessageEvent, dialect: Dialect) =>
          receiving.take(event, dialect, event.isOwn ? uploads.take(event) : []),
        recall: (event) => receiving.takeRecall(event),
        catchUp: missed.catchUp,
      }),
    held: () => missed.held(),
    /** The connections of the account have ended. */
    end(): void {
      missed.stop();
      calls.lost();
    },
  };
}

/** The connections of an account, and the session that lasts as long as there is one. */
interface Line {
  readonly ask: Ask;
  readonly uploads: Uploads;
  readonly slots: Slots;
  readonly session: () => Session | null;
  /** @param shown null if the connection that has come has not shown its version */
  readonly expectVersion: (shown: Version | null) => void;
  /** This server has the account now. */
  readonly held: () => void;
  readonly end: () => void;
}

/** No connection yet. */
export function createLine({ account, protocol }: OneBotAccount, deps: AccountDeps, hooks: LineHooks): Line {
  const { clock, faults, waiting } = deps;
  const { standing, emptied } = hooks;
  let session: Session | null = null;
  let cancelGuess = (): void => {};
  const dialogue = createDialogue({ ...deps, account, hooks, api: () => slots.api, session: () => session });
  const { calls, uploads, ask } = dialogue;
  const begin = (version: Version): Session => {
    cancelGuess();
    session ??= dialogue.begin(version);
    session.presence.start();
    return session;
  };
  const end = (): void => {
    cancelGuess();
    session?.presence.stop();
    session = null;
    dialogue.end();
  };
  const slots = createSlots(clock, {
    opened() {
      session?.presence.start();
      standing.changed();
    },
    received: (text, isOld) =>
      readFrame(text, {
        answered: ({ echo, answer }) => calls.answered(echo, answer),
        event(frame, version) {
          const taken = (session ?? begin(protocol ?? version)).take(frame, isOld);
          if (taken !== null) flow.hold(text.length, taken);
        },
        wrong: () => faults.tell(account, "malformed_frame"),
      }),
    lost: (echo) => calls.answered(echo, { outcome: "lost" }),
    left() {
      if (!slots.isEmpty) return void (slots.api === null && calls.lost());
      end();
      emptied();
    },
    taken: () => faults.tell(account, "second_connection"),
    silence: () => session?.presence.silence() ?? suspectAfter,
  });
  const flow = createFlow(slots, waiting);
  /** The first frame of a connection may show the version. One that sends none has the older one. */
  const expectVersion = (shown: Version | null): void => {
    if (session === null && shown !== null && !slots.isEmpty) begin(shown);
    else if (session === null) cancelGuess = clock.after(versionTime, () => void (slots.isEmpty || begin(11)));
  };
  return { ask, uploads, slots, session: () => session, expectVersion, held: dialogue.held, end };
}
