import { anonymous, type Telex, TelexError, type TokenHolder } from "@telex/core";
import type { LiveConnection, LiveEvent, OfferedToken } from "@telex/core/transport";
import type { Callers } from "@telex/ws/acceptor";
import { isDeviceId } from "../topics/topics.ts";
import { codes, closeCodes } from "../wire/codes.ts";
import { decode, peekVersion, type Version } from "../wire/packets.ts";
import { type Connect, readConnect } from "./connect.ts";
import { type LoggedIn, logIn } from "./login.ts";
import type { Out } from "../io/out.ts";

/** An admitted connection. */
export interface Admission extends LoggedIn {
  readonly connect: Connect;
  readonly live: LiveConnection;
  /** The token that a paired device gets; null if it has one. */
  readonly offer: OfferedToken | null;
}

interface AdmissionDeps {
  readonly telex: Telex;
  readonly out: Out;
  readonly callers: Callers;
  readonly address: string | null;
  /** Receives the events for the connection. */
  readonly write: (events: readonly LiveEvent[]) => void;
  /** Called when a device was unregistered or paired again. */
  readonly deviceRaised: (deviceId: string) => void;
  /** Closes the connection after its running packets are answered. */
  readonly leave: (reason: number) => void;
}

/** Reads a CONNECT. Returns the reason for a refusal, or null if there is no response. */
function read(bytes: Buffer, out: Out): Connect | number | null {
  const version = peekVersion(bytes);
  if (version === null) return null;
  out.version = version < 5 ? 4 : 5;
  if (version !== 4 && version !== 5) return codes.unsupportedVersion;
  const known: Version = version;
  const packet = decode(bytes, known);
  if (packet?.cmd !== "connect") return known === 5 ? codes.malformed : null;
  const reading = readConnect(packet, known);
  return "connect" in reading ? reading.connect : reading.refusal;
}

/** The connection for core. */
const liveOf = ({ out, write, deviceRaised, leave }: AdmissionDeps, holder: TokenHolder): LiveConnection => ({
  holder,
  channel: "mqtt",
  write,
  deviceRaised,
  close: (reason) =>
    reason === "stopping" || reason === "draining" ? leave(closeCodes[reason]) : out.end(closeCodes[reason]),
});

function noteRefusal({ telex }: AdmissionDeps, { userId, tokenId }: TokenHolder): void {
  const fields = { userId, tokenId, route: "mqtt", code: "insufficient_scope" };
  telex.security.noteOnce("access.refused", `${userId} ${tokenId} mqtt`, fields);
}

/** A secret of a pairing: 32 bytes in base64url. */
const secretShape = /^[\w-]{43}$/;

/** The token that a password offers, if it is the secret of a confirmed pairing. */
async function offerOf(deps: AdmissionDeps, { userName, password }: Connect): Promise<OfferedToken | null> {
  const { telex, callers, address } = deps;
  if (!secretShape.test(password) || !isDeviceId(userName)) return null;
  callers.count(anonymous, address, 1);
  try {
    return await telex.offerToken(userName, password);
  } catch (cause) {
    if (TelexError.from(cause).code === "not_found") return null;
    throw cause;
  }
}

async function enter(deps: AdmissionDeps, connect: Connect): Promise<Admission | number> {
  const { telex, out, callers, address } = deps;
  const offer = await offerOf(deps, connect);
  const caller = await telex.authenticate(offer?.token ?? connect.password, () => address);
  callers.count(caller, address, 1);
  if (caller.kind !== "token") return codes.notAuthorized;
  out.atEnd(callers.enterAs(caller));
  const live = liveOf(deps, caller);
  out.atEnd(telex.attach(live));
  if (out.isEnded()) return codes.notAuthorized;
  const loggedIn = await logIn(telex, live, connect.userName, offer !== null);
  if (loggedIn !== null) return { ...loggedIn, connect, live, offer };
  noteRefusal(deps, caller);
  return codes.notAuthorized;
}

function refusalOf({ telex }: AdmissionDeps, cause: unknown): number {
  const error = TelexError.from(cause);
  if (error.code === "rate_limited") return codes.connectionRate;
  telex.log.error("mqtt.admission_failed", { code: error.code, incident: error.incident }, error.cause);
  return codes.serverUnavailable;
}

/**
 * Reads the first packet, and admits the connection if it is a valid CONNECT with a valid token.
 * @returns the reason for a refusal; null if the bytes are not MQTT
 */
export async function admit(deps: AdmissionDeps, bytes: Buffer): Promise<Admission | number | null> {
  const connect = read(bytes, deps.out);
  if (connect === null || typeof connect === "number") return connect;
  try {
    return await enter(deps, connect);
  } catch (cause) {
    return refusalOf(deps, cause);
  }
}
