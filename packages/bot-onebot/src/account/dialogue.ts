import type { Link } from "../link/link.ts";
import { type Dialect, type Version, versionOf } from "../wire/dialect.ts";
import type { MessageEvent } from "../wire/events.ts";
import { type Ask, readAnswer, readJson } from "../wire/frames.ts";
import { hasTooManyValues } from "../wire/values-in.ts";
import type { AccountDeps } from "./account-deps.ts";
import { type Calls, createCalls } from "./calls.ts";
import { createCatchUp } from "./catch-up.ts";
import { createOpen } from "./media.ts";
import { createReceiving } from "./receive.ts";
import { createSession, type Session } from "./session.ts";
import type { Standing } from "./standing.ts";
import { createUploads } from "./uploads.ts";

/** The handlers for each kind of frame. */
interface FrameHandlers {
  readonly answered: (answer: NonNullable<ReturnType<typeof readAnswer>>) => void;
  readonly event: (frame: unknown, version: Version) => void;
  readonly wrong: (cause: "malformed_frame" | "oversized_frame") => void;
}

export function readFrame(text: string, { answered, event, wrong }: FrameHandlers): void {
  if (hasTooManyValues(text)) return wrong("oversized_frame");
  const frame = readJson(text);
  const answer = readAnswer(frame);
  const version = versionOf(frame);
  if (answer !== null) answered(answer);
  else if (version === null) wrong("malformed_frame");
  else event(frame, version);
}

interface MissedHooks extends Pick<ConnectionHooks, "isHeld"> {
  readonly session: () => Session | null;
}

/** Requests missed messages. Several servers may receive events of an account; the one that has the account requests them. */
function createMissed(deps: Parameters<typeof createCatchUp>[0], { session, isHeld }: MissedHooks) {
  const { run, stop } = createCatchUp(deps);
  const catchUp = (dialect: Dialect, ext: string): void => {
    if (isHeld()) run(dialect, ext);
  };
  return {
    catchUp,
    stop,
    /** Called when this server has the account, which may have been connected before. */
    held(): void {
      const now = session();
      if (now?.presence.isOnline === true) catchUp(now.dialect, now.presence.identity.ext);
    },
  };
}

/** Called when the connections of an account change. */
export interface ConnectionHooks {
  readonly standing: Standing;
  /** Called when the last one has ended. */
  readonly emptied: () => void;
  /** True while this server has the account. */
  readonly isHeld: () => boolean;
}

interface DialogueDeps extends Pick<AccountDeps, "clock" | "faults" | "inbox" | "fetchMedia"> {
  readonly account: string;
  readonly hooks: ConnectionHooks;
  /** The connection that takes actions, or null. */
  readonly api: () => Link | null;
  readonly session: () => Session | null;
}

/** Sends actions to an implementation, and handles its events. */
export function createDialogue({ account, hooks, api, session, ...deps }: DialogueDeps) {
  const { clock, faults, inbox, fetchMedia } = deps;
  const calls: Calls = createCalls(clock);
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
        reaction: (event) => receiving.takeReaction(event),
        catchUp: missed.catchUp,
      }),
    held: () => missed.held(),
    /** Called when the connections of the account have ended. */
    end(): void {
      missed.stop();
      calls.lost();
    },
  };
}
