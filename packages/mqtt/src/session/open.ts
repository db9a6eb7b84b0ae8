import { randomUUID } from "node:crypto";
import type { Telex } from "@telex/core";
import { contracts } from "@telex/core/contract";
import { type LiveEvent, parseInput } from "@telex/core/transport";
import type { Ready } from "@telex/ws/acceptor";
import type { Admission } from "../admission/admission.ts";
import type { Will } from "../admission/connect.ts";
import type { Out } from "../io/out.ts";
import type { Rates } from "../io/rates.ts";
import type { MqttLimits } from "../limits.ts";
import { type Login, targetOf } from "../topics/access.ts";
import type { Discovery } from "../topics/discovery.ts";
import { codes } from "../wire/codes.ts";
import type { Packet } from "../wire/packets.ts";
import { readText } from "../wire/text.ts";
import { createOffering } from "./offering.ts";
import { createPresence } from "./presence.ts";
import { createPublishing } from "./publishing.ts";
import { type Outcome, prepare } from "./session.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { createTexts, type Texts } from "./texts.ts";
import { createWatching } from "./watching.ts";

/** The session of an admitted connection. It lives as long as the connection. */
export interface Session {
  /** Call it after the CONNACK was sent. */
  readonly begin: () => void;
  readonly prepare: (packet: Packet) => Ready<Outcome>;
  /** Call it for each packet. */
  readonly heard: () => void;
  readonly write: (events: readonly LiveEvent[]) => void;
  /** Call it when a device was unregistered or paired again. */
  readonly deviceRaised: (deviceId: string) => void;
  /**
   * Ends the session.
   * @param isAbnormal true if the will is published
   */
  readonly end: (isAbnormal: boolean) => Promise<void>;
}

interface SessionOptions {
  readonly telex: Telex;
  readonly out: Out;
  readonly rates: Rates;
  readonly limits: MqttLimits;
  readonly discovery: Discovery | null;
}

/** The reason why a will is refused, or null. A will to the device's own status has no effect, because Telex publishes the status. */
export function refuseWill(login: Login, will: Will | null, discovery: Discovery | null): number | null {
  if (will === null) return null;
  const target = targetOf(login, will.topic, discovery?.prefix ?? null);
  if (target === null || target.kind === "send") return codes.notAuthorized;
  if (target.kind !== "from") return null;
  try {
    const content = readText(will.payload);
    parseInput(contracts.teleprinter.sync, { deviceId: target.deviceId, content });
    return null;
  } catch {
    return codes.payloadFormat;
  }
}

function createTextsOf(
  { telex, out, limits }: SessionOptions,
  { login, live, connect, attendance }: Admission,
  others: () => number,
): Texts | null {
  if (login.as === "owner" || attendance === null) return null;
  const window = Math.min(connect.receiveMaximum, limits.window);
  const { order } = connect;
  return createTexts({ telex, live, out, deviceId: login.deviceId, attendance, window, order, others });
}

export function openSession(options: SessionOptions, admission: Admission): Session {
  const { telex, out, rates, limits, discovery } = options;
  const { login, live, attendance, connect } = admission;
  const { clientId, will } = connect;
  const prefix = discovery?.prefix ?? null;
  const presence =
    login.as === "device" && attendance !== null
      ? createPresence({ telex, live, deviceId: login.deviceId, attendance })
      : null;
  const token = createOffering(options, admission);
  const texts = createTextsOf(options, admission, () => (token.isSending() ? 1 : 0));
  const watching = createWatching({ telex, live, out, login, discovery });
  const publish = createPublishing({ telex, live, login, presence, attendance, clientId, discovery: prefix });
  const subscriptions = createSubscriptions({
    telex,
    login,
    version: () => out.version,
    texts,
    watching,
    discovery: prefix,
    limit: limits.filters,
  });
  const acknowledge = async (packetId: number): Promise<boolean> => {
    await token.acknowledge(packetId);
    return (await texts?.acknowledge(packetId)) ?? true;
  };
  const deps = { out, rates, publish, subscriptions, acknowledge };
  const publishWill = async ({ topic, payload, nonce }: Will): Promise<void> => {
    if (login.as !== "device" || targetOf(login, topic, prefix)?.kind !== "from") return;
    const named = typeof nonce === "string" ? nonce : randomUUID();
    await publish({ topic, payload, qos: 0, dup: false, properties: { userProperties: { nonce: named } } });
  };
  return {
    begin: token.publish,
    prepare: (packet) => prepare(deps, packet),
    heard: () => presence?.heard(),
    write: watching.write,
    deviceRaised: watching.deviceRaised,
    async end(isAbnormal) {
      watching.stop();
      await texts?.end();
      if (isAbnormal && will !== null) await publishWill(will);
      await attendance?.end();
    },
  };
}
