import type { IConnectPacket } from "mqtt-packet";
import { z } from "zod";
import { codes } from "../wire/codes.ts";
import { readText } from "../wire/text.ts";
import type { Version } from "../wire/packets.ts";

/** A valid CONNECT. */
export interface Connect {
  /** `""` if the client has none. */
  readonly clientId: string;
  readonly userName: string;
  readonly password: string;
  /** Seconds; 0 if the client requests none. */
  readonly keepalive: number;
  /** Maximum unacknowledged QoS 1 publishes that the client accepts. */
  readonly receiveMaximum: number;
  /** The order in which the client wants its texts; undefined for the order of their ids. */
  readonly order: "priority" | undefined;
  readonly will: Will | null;
}

/** The message that is published if the connection ends without DISCONNECT. */
export interface Will {
  readonly topic: string;
  readonly payload: Buffer | string;
  readonly nonce: unknown;
}

/** A CONNECT, or the reason for its refusal. */
type Reading = { readonly connect: Connect } | { readonly refusal: number };

/** Maximum bytes of a client identifier. The specification requires at least 23. */
const longestClientId = 256;
/** Bytes that a device must accept in one packet: a text of 2,000 code points with its topic and properties. */
const smallestPacket = 9 * 1024;

const properties = z
  .object({
    receiveMaximum: z.int().min(1).max(65_535).default(65_535),
    maximumPacketSize: z.int().min(1).max(0xff_ff_ff_ff).default(0xff_ff_ff_ff),
    authenticationMethod: z.unknown().optional(),
    userProperties: z.object({ order: z.literal("priority").optional() }).default({}),
  })
  .prefault({});

const willOf = ({ will }: IConnectPacket): Will | null =>
  will === undefined
    ? null
    : { topic: will.topic, payload: will.payload, nonce: will.properties?.userProperties?.["nonce"] };

/** Checks a CONNECT, except its password. */
export function readConnect(packet: IConnectPacket, version: Version): Reading {
  const parsed = properties.safeParse(packet.properties);
  if (!parsed.success) return { refusal: codes.protocolError };
  const { receiveMaximum, maximumPacketSize, authenticationMethod, userProperties } = parsed.data;
  if (authenticationMethod !== undefined) return { refusal: codes.badAuthenticationMethod };
  if (maximumPacketSize < smallestPacket) return { refusal: codes.packetTooLarge };
  const { clientId, clean = true, username: userName, password, keepalive = 0 } = packet;
  const isNamed = clientId !== "" || version === 5 || clean;
  if (!isNamed || Buffer.byteLength(clientId) > longestClientId) return { refusal: codes.invalidClientId };
  const secret = password === undefined ? null : readText(password);
  if (userName === undefined || secret === null || secret === "") return { refusal: codes.notAuthorized };
  const { order } = userProperties;
  return { connect: { clientId, userName, password: secret, keepalive, receiveMaximum, order, will: willOf(packet) } };
}
