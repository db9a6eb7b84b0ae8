import type { Clock, Logger, Observer } from "@telex/core";
import { createOnce } from "@telex/core/transport";

/** The faults of bots and frameworks. */
const faults = {
  missing_token: "a connection or an event without a token",
  wrong_token: "a connection or an event with a wrong token",
  refused_request: "a request that was refused",
  rate_limited: "an address that has shown too many wrong tokens, and is ignored for some time",
  bad_handshake: "a request that is not a WebSocket handshake",
  second_connection: "a second connection, although the first one is alive",
  elsewhere: "a connection, although another server has one",
  moved: "another server may have the account now",
  unreachable: "no connection to the implementation",
  secret_taken: "the secret is that of an account of the program: the account is not served",
  malformed_frame: "a frame that is neither an answer nor an event",
  malformed_event: "an event whose ids or fields are missing or wrong",
  malformed_action: "an action that is missing or wrong",
  broken_frame: "a frame that violates the WebSocket protocol, or is not text",
  oversized_frame: "a frame of more than 16 MiB or 200,000 values, or an event of more than 1 MiB over HTTP",
  oversized_message: "a message with too many parts or too long a text, which was cut",
  foreign_event: "events of another account",
  replayed_event:
    "a signed event that has arrived before, or whose time differs from that of the server: only its messages count",
  too_many_events: "events over HTTP that came faster than they could be taken",
  not_reading: "a connection that does not read what it is sent",
  too_much: "a connection that was cut, because unfinished frames take too much memory",
  failed: "something failed in the server",
} as const;

/** A word for what was wrong. */
export type FaultCause = keyof typeof faults;

/** Counts faults of bots or frameworks, and logs each cause once a minute for each account, however often it occurs. */
export interface BotFaults {
  /**
   * @param account `""` if it is not known
   * @param detail says more, without secrets. The log has the detail of the first fault in a minute
   */
  tell(account: string, cause: FaultCause, detail?: string): void;
  /** Called when a promise has rejected that must not. */
  failed(account: string, step: string, cause: unknown): void;
}

interface FaultDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly observer: () => Pick<Observer, "fault">;
  /** The name of the plug-in. */
  readonly source: string;
}

export function createBotFaults({ clock, log, observer, source }: FaultDeps): BotFaults {
  const isFirst = createOnce(clock);
  const count = (cause: FaultCause): void => observer().fault?.({ source, cause });
  return {
    tell(account, cause, detail = faults[cause]) {
      count(cause);
      if (isFirst(`${account} ${cause}`)) log.warn("onebot.fault", { account, code: cause, fault: detail });
    },
    failed(account, step, cause) {
      count("failed");
      if (isFirst(`${account} failed ${step}`)) log.error("onebot.failed", { account, step }, cause);
    },
  };
}
