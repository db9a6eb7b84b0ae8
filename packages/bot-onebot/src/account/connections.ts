import type { Version } from "../wire/dialect.ts";
import type { Ask } from "../wire/frames.ts";
import type { AccountDeps } from "./account-deps.ts";
import { createFlow } from "./flow.ts";
import type { OneBotAccount } from "./options.ts";
import { suspectAfter } from "./presence.ts";
import type { Session } from "./session.ts";
import { createSlots, type Slots } from "./slots.ts";
import type { Uploads } from "./uploads.ts";
import { readFrame, type ConnectionHooks, createDialogue } from "./dialogue.ts";

/** Milliseconds after which a connection that has not shown its version speaks 11. */
const versionTime = 2000;

/** The connections of an account, and the session that lasts while there is one. */
interface Connections {
  readonly ask: Ask;
  readonly uploads: Uploads;
  readonly slots: Slots;
  readonly session: () => Session | null;
  /** @param shown null if the new connection has not named its version */
  readonly expectVersion: (shown: Version | null) => void;
  /** Called when this server has the account. */
  readonly held: () => void;
  readonly end: () => void;
}

export function createConnections(
  { account, protocol }: OneBotAccount,
  deps: AccountDeps,
  hooks: ConnectionHooks,
): Connections {
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
        wrong: (cause) => faults.tell(account, cause),
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
  /** The first frame of a connection may show the version. A connection that sends none has the older one. */
  const expectVersion = (shown: Version | null): void => {
    if (session === null && shown !== null && !slots.isEmpty) begin(shown);
    else if (session === null) cancelGuess = clock.after(versionTime, () => void (slots.isEmpty || begin(11)));
  };
  return { ask, uploads, slots, session: () => session, expectVersion, held: dialogue.held, end };
}
