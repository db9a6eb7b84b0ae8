import { type Dialect, type Identity, type Open, type Version } from "../wire/dialect.ts";
import type { FaultCause } from "../link/faults.ts";
import type { MessageEvent, ReactionEvent, RecallEvent } from "../wire/events.ts";
import { dialect11 } from "../wire/v11.ts";
import { dialect12 } from "../wire/v12.ts";
import { createPresence, type Presence, type PresenceDeps } from "./presence.ts";

/** The state of an account while it has a connection. */
export interface Session {
  readonly dialect: Dialect;
  readonly presence: Presence;
  /**
   * Takes an event. Resolves when the inbox has it; null for an event that does not go there.
   * @param isOld true for an event that says nothing about the current state
   */
  take(frame: unknown, isOld: boolean): Promise<void> | null;
}

interface SessionDeps extends Omit<PresenceDeps, "dialect" | "cameOnline"> {
  readonly open: Open;
  readonly fault: (cause: FaultCause) => void;
  readonly message: (event: MessageEvent, dialect: Dialect) => Promise<void>;
  readonly recall: (event: RecallEvent) => Promise<void>;
  readonly reaction: (event: ReactionEvent) => Promise<void>;
  /** The account came online: fetches the messages it missed. `ext`: its id in the network. */
  readonly catchUp: (dialect: Dialect, ext: string) => void;
}

/** True for an event of another account on the same connection. */
const isForeign = ({ self }: Identity, other: Identity | null): boolean =>
  self !== null && other !== null && other.self !== null && other.ext !== self["user_id"];

/** A session that has just begun: the account is not online yet. */
export function createSession(
  version: Version,
  { open, fault, message, recall, reaction, catchUp, ...deps }: SessionDeps,
): Session {
  const dialect = version === 12 ? dialect12 : dialect11;
  const cameOnline = (): void => catchUp(dialect, presence.identity.ext);
  const presence = createPresence({ ...deps, dialect, cameOnline });
  return {
    dialect,
    presence,
    take(frame, isOld) {
      const identity = dialect.identityOf(frame);
      if (isForeign(presence.identity, identity)) {
        fault("foreign_event");
        return null;
      }
      const event = dialect.readEvent(frame, presence.identity.ext || null, open);
      if (!isOld) presence.note(event, identity);
      if (event.kind === "malformed") fault("malformed_event");
      if (event.kind === "recall") return recall(event);
      if (event.kind === "reaction") return reaction(event);
      return event.kind === "message" ? message(event, dialect) : null;
    },
  };
}
