import { type Telex, TelexError, type TokenHolder } from "@telex/core";
import { actingFor, type LiveEvent, type RateLimiter } from "@telex/core/transport";
import type { IPublishPacket } from "mqtt-packet";
import { createPublishing, type Published } from "../session/publishing.ts";
import type { Login } from "../topics/access.ts";
import { readTopic } from "../topics/topics.ts";
import { readText } from "../wire/text.ts";
import { brokerTransport } from "./members.ts";

interface IncomingDeps {
  readonly telex: Telex;
  readonly clientId: string;
  readonly rateLimiter: RateLimiter;
  /** True if the broker is trusted to control who may publish where. */
  readonly isTrusted: boolean;
  /** The owner of a device; null if it is not known. */
  readonly ownerOf: (deviceId: string) => number | null;
  /** Called when a device has come over the broker. */
  readonly came: (deviceId: string, owner: number) => void;
  /** Resolves with true after some time, or with false at the end. */
  readonly pause: () => Promise<boolean>;
}

/** The messages that the broker sends to Telex. */
interface Incoming {
  /** Resolves when the message is durable or ignored. Never rejects. */
  readonly take: (packet: IPublishPacket) => Promise<void>;
  /** True for the event of the text that is being stored. */
  readonly isEcho: (event: LiveEvent) => boolean;
}

/** The device and the login of a message. */
interface Addressed {
  readonly login: Login;
  readonly deviceId: string;
  readonly isFromDevice: boolean;
}

/** The user property of messages that Telex itself publishes. */
export const ownMark = { origin: "telex" } as const;

/** The device and the login of a message; null if Telex has published it, or if it is to be ignored. */
async function address(deps: IncomingDeps, { topic, properties }: IPublishPacket): Promise<Addressed | null> {
  const read = readTopic(topic);
  if (read === null || !["from", "status", "send"].includes(read.name)) return null;
  const { token, origin } = properties?.userProperties ?? {};
  if (origin === ownMark.origin) return null;
  const { deviceId, name } = read;
  const holder = await holderOf(deps, deviceId, token);
  if (holder === null) return null;
  if (name === "send") return { login: { as: "owner", holder }, deviceId, isFromDevice: false };
  return { login: { as: "device", deviceId, holder, isPairing: false }, deviceId, isFromDevice: true };
}

async function holderOf(
  { telex, isTrusted, ownerOf }: IncomingDeps,
  deviceId: string,
  token: unknown,
): Promise<TokenHolder | null> {
  if (token === undefined) {
    const owner = isTrusted ? ownerOf(deviceId) : null;
    return owner === null ? null : actingFor(owner);
  }
  const caller = await telex.authenticate(typeof token === "string" ? token : null);
  return caller.kind === "token" ? caller : null;
}

/** Handles a message of the broker like a publish of a client. */
function createPublisher({ telex, clientId }: IncomingDeps) {
  return ({ login, deviceId }: Addressed, packet: IPublishPacket): Promise<Published> => {
    const { holder } = login;
    const report = { deviceId, transport: brokerTransport };
    const presence = {
      heard() {},
      comes: async () => void (await telex.teleprinter.heartbeat(holder, report)),
      leaves: async () => void (await telex.teleprinter.offline(holder, { deviceId })),
    };
    const live = { holder, write() {}, close() {} };
    return createPublishing({ telex, live, login, presence, attendance: null, clientId, discovery: null })(packet);
  };
}

export function createIncoming(deps: IncomingDeps): Incoming {
  const { telex, rateLimiter, came, pause } = deps;
  const publish = createPublisher(deps);
  let running: { readonly deviceId: string; readonly content: string | null } | null = null;
  /** Notes that a device has come. A text is also a sign of life. */
  const welcome = async ({ login: { holder }, deviceId }: Addressed, topic: string): Promise<void> => {
    if (!topic.endsWith("/status")) await telex.teleprinter.heartbeat(holder, { deviceId, transport: brokerTransport });
    came(deviceId, holder.userId);
  };
  const handle = async (packet: IPublishPacket): Promise<Published> => {
    const addressed = await address(deps, packet);
    if (addressed === null) return 0;
    const { login, deviceId, isFromDevice } = addressed;
    rateLimiter.count(login.holder, () => null, 1);
    const content = readText(packet.payload);
    running = { deviceId, content };
    const code = await publish(addressed, packet);
    const isOffline = packet.topic.endsWith("/status") && content === "offline";
    if (code === 0 && isFromDevice && !isOffline) await welcome(addressed, packet.topic);
    if (code !== 0 && code !== "retry") telex.log.warn("mqtt.broker_message_refused", { deviceId, code });
    return code;
  };
  /** True if the message must be handled again, because the storage was unavailable. */
  const attempt = async (packet: IPublishPacket): Promise<boolean> => {
    try {
      return (await handle(packet)) === "retry";
    } catch (cause) {
      const { code, incident } = TelexError.from(cause);
      if (code === "storage_unavailable" || code === "storage_full") return true;
      telex.log.warn("mqtt.broker_message_refused", {
        deviceId: readTopic(packet.topic)?.deviceId ?? null,
        code,
        incident,
      });
      return false;
    } finally {
      running = null;
    }
  };
  return {
    async take(packet) {
      if (packet.retain) return;
      while (await attempt(packet)) if (!(await pause())) return;
    },
    isEcho: ({ kind, data }) =>
      kind === "device_message" && data.deviceId === running?.deviceId && data.content === running.content,
  };
}
