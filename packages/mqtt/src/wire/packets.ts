import { generate, type Packet, parser } from "mqtt-packet";

/** The supported versions of MQTT: 4 is 3.1.1. */
export type Version = 4 | 5;

export type { Packet } from "mqtt-packet";

type Numbered = Extract<Packet, { readonly messageId?: number }>;

const numbered: ReadonlySet<Packet["cmd"]> = new Set(["puback", "subscribe", "unsubscribe"]);

function hasValidId(packet: Numbered): boolean {
  const needsId = numbered.has(packet.cmd) || (packet.cmd === "publish" && packet.qos > 0);
  return !needsId || (packet.messageId ?? 0) > 0;
}

/**
 * Decodes one complete packet; null if it is malformed. Each packet has its own reader, because a reader keeps parts of a malformed packet,
 * and idle connections do not need one.
 */
export function decode(bytes: Buffer, protocolVersion: Version): Packet | null {
  const packets: Packet[] = [];
  let isValid = true;
  const reader = parser({ protocolVersion });
  reader.on("packet", (packet) => packets.push(packet));
  reader.on("error", () => (isValid = false));
  try {
    // `parse` throws for some packets that are too short.
    isValid &&= reader.parse(bytes) === 0 && isValid;
  } catch {
    return null;
  }
  const [packet] = packets;
  return isValid && packets.length === 1 && packet !== undefined && hasValidId(packet) ? packet : null;
}

/**
 * Encodes one packet.
 * @throws Error if a field does not fit into a packet
 */
export const encode = (packet: Packet, protocolVersion: Version): Buffer => generate(packet, { protocolVersion });

const connectType = 1;

/** The version in a CONNECT; null if these bytes are not a CONNECT of MQTT. */
export function peekVersion(bytes: Buffer): number | null {
  if (bytes.readUInt8(0) >> 4 !== connectType) return null;
  const start = bytes.subarray(1).findIndex((byte) => byte < 0x80) + 2;
  const nameLength = bytes.length < start + 2 ? 0 : bytes.readUInt16BE(start);
  const name = bytes.toString("latin1", start + 2, start + 2 + nameLength);
  if (name !== "MQTT" && name !== "MQIsdp") return null;
  return bytes[start + 2 + nameLength] ?? null;
}
