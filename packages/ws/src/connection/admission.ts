import { type Caller, TelexError, type TokenHolder } from "@telex/core";
import type {
  CloseReason,
  DeviceConnection,
  LiveConnection,
  LiveEvent,
  Locale,
  RequestAuthenticator,
} from "@telex/core/transport";
import type { Channel, OpenChannel } from "../channels/channel.ts";
import type { WsTelex } from "../limits.ts";
import type { Callers } from "./callers.ts";
import type { EventEncoder } from "./events.ts";
import { failure } from "../frames/failures.ts";
import { noIdentifier } from "../frames/frames.ts";
import type { Sender } from "./sender.ts";

/** The caller behind a connection: one who may use the channel, an unauthenticated one, or an error if this cannot be determined. */
export type Admission =
  | { readonly as: "member"; readonly live: LiveConnection; readonly channel: OpenChannel }
  | { readonly as: "nobody" }
  | { readonly as: "unknown"; readonly error: TelexError };

export interface AdmissionDeps {
  readonly telex: WsTelex;
  readonly channel: Channel;
  readonly encoder: EventEncoder;
  /** The token of the upgrade; null without one. */
  readonly token: string | null;
  readonly callers: Callers;
  /** Authenticates connections without a token, and tickets. */
  readonly authenticator: RequestAuthenticator | undefined;
  /** The value of a header of the upgrade. */
  readonly header: (name: string) => string | null;
  /** The address of the client; null if it is unknown. */
  readonly address: string | null;
  readonly query: URLSearchParams;
  /** The language of its failures. */
  readonly locale: Locale;
  readonly sender: Sender;
  /** Resolves with true when the other side answers a ping within `wait` milliseconds. */
  readonly ping: (wait: number) => Promise<boolean>;
  /** Closes the connection after its running commands are answered. */
  readonly leave: (reason: CloseReason) => void;
}

/** True if a holder has one of the scopes of a channel. */
const isAdmitted = ({ scopes }: Channel, holder: TokenHolder, query: URLSearchParams): boolean =>
  scopes.some((scope) =>
    holder.scopes.includes(scope.replace(/\{(\w+)\}/, (_, name: string) => query.get(name) ?? "")),
  );

const nobody: Admission = { as: "nobody" };

/** The connection as core sees it. */
function liveOf({ channel, encoder, sender, leave, ping }: AdmissionDeps, holder: TokenHolder): DeviceConnection {
  const write = (events: readonly LiveEvent[]): void => sender.write(encoder.encode(events));
  return {
    holder,
    channel: channel.name,
    write,
    push(events) {
      write(events);
      return sender.flushed();
    },
    ping,
    close: (reason) => (reason === "stopping" || reason === "draining" ? leave(reason) : sender.end(reason)),
  };
}

function enter(deps: AdmissionDeps, holder: TokenHolder): Admission {
  const { telex, channel, query, locale, sender } = deps;
  const live = liveOf(deps, holder);
  sender.atEnd(telex.attach(live));
  // A token that was revoked during the lookup has ended the sender.
  if (sender.isEnded()) return nobody;
  const open = channel.open({ telex, live, query, locale, send: sender.send, flushed: sender.flushed });
  sender.atEnd(open.stop);
  return { as: "member", live, channel: open };
}

function noteRefusal({ telex, channel }: AdmissionDeps, { userId, tokenId }: TokenHolder): void {
  const fields = { userId, tokenId, route: channel.path, code: "insufficient_scope" };
  telex.security.noteOnce("access.refused", `${userId} ${tokenId} ${channel.path}`, fields);
}

/** Closes a connection whose caller cannot be determined, or has too many connections. */
function failAdmission({ telex, sender, leave, locale }: AdmissionDeps, cause: unknown): Admission {
  const error = TelexError.from(cause);
  if (error.code === "rate_limited") {
    sender.send(failure(error, noIdentifier, locale));
    sender.end("too_many");
  } else {
    telex.log.error("ws.admission_failed", { code: error.code, incident: error.incident }, error.cause);
    leave(error.code === "shutting_down" ? "stopping" : "too_slow");
  }
  return { as: "unknown", error };
}

/** The caller of a connection: by a token, a ticket in its place, or without both by the headers of the upgrade. */
async function authenticate({ telex, token, authenticator, address, header }: AdmissionDeps): Promise<Caller> {
  if (authenticator !== undefined) {
    if (token === null) return await authenticator.authenticate({ method: "GET", header, address: () => address });
    const holder = await authenticator.redeem(token);
    if (holder !== null) return holder;
  }
  return await telex.authenticate(token, () => address);
}

/**
 * Authenticates a connection and opens its channel if the caller may use it. Connections without a valid caller are closed after
 * a time. Never rejects.
 */
export async function admit(deps: AdmissionDeps): Promise<Admission> {
  const { telex, channel, query, sender, callers, address } = deps;
  let isKnown = false;
  const cancel = telex.clock.after(telex.limits.anonymousLife, () => sender.end(isKnown ? "token_ended" : "too_slow"));
  sender.atEnd(cancel);
  try {
    const caller = await authenticate(deps);
    isKnown = true;
    callers.count(caller, address, 1);
    if (sender.isEnded() || caller.kind !== "token") return nobody;
    if (!isAdmitted(channel, caller, query)) {
      noteRefusal(deps, caller);
      return nobody;
    }
    sender.atEnd(callers.enterAs(caller));
    cancel();
    return enter(deps, caller);
  } catch (cause) {
    return failAdmission(deps, cause);
  }
}
