import { hash } from "node:crypto";
import { type Telex, TelexError } from "@telex/core";
import type { DeviceAttendance, LiveConnection } from "@telex/core/transport";
import type { IPublishPacket } from "mqtt-packet";
import type { Login, Target } from "../topics/access.ts";
import { targetOf } from "../topics/access.ts";
import { codes, refusalCodeOf } from "../wire/codes.ts";
import { readText } from "../wire/text.ts";
import type { Presence } from "./presence.ts";
import { fieldsOf } from "./properties.ts";

interface PublishingDeps {
  readonly telex: Telex;
  readonly live: LiveConnection;
  readonly login: Login;
  /** Null for an owner. */
  readonly presence: Presence | null;
  readonly attendance: DeviceAttendance | null;
  /** `""` if the client has none. */
  readonly clientId: string;
  /** The first level of the topics of discovery; null if there is none. */
  readonly discovery: string | null;
}

/** A text to publish, from a packet or from a will. */
export type Publication = Pick<IPublishPacket, "topic" | "payload" | "qos" | "dup" | "messageId" | "properties">;

/** The result of a publish: a reason code, or `retry` if the client should publish again, over a new connection. */
export type Published = number | "retry";

type Nonce = { readonly nonce?: unknown; readonly reuse?: "new" | "same" };

/**
 * A nonce in a user property belongs to one text. A packet id is reused for other texts, and DUP says that it may be the same text. For a
 * scheduled text, the nonce includes its time and content, because schedules do not reuse nonces.
 */
function nonceOf({ clientId }: PublishingDeps, { properties, qos, dup, messageId, payload }: Publication): Nonce {
  const { nonce, at } = properties?.userProperties ?? {};
  if (nonce !== undefined) return { nonce };
  if (qos === 0 || clientId === "" || messageId === undefined) return {};
  const name = hash(
    "sha256",
    `${messageId} ${clientId}${at === undefined ? "" : ` ${String(at)} ${String(payload)}`}`,
    "base64url",
  );
  return { nonce: `mqtt ${name}`, reuse: dup ? "same" : "new" };
}

/** Publishes what a client sends. */
export function createPublishing(deps: PublishingDeps): (publication: Publication) => Promise<Published> {
  const { telex, live, login, presence, attendance, discovery } = deps;
  const sendText = async (target: Target & { deviceId: string }, publication: Publication): Promise<number> => {
    const content = readText(publication.payload);
    if (content === null) return codes.payloadFormat;
    const { nonce, reuse: nonceReuse } = nonceOf(deps, publication);
    const [operation, fields] =
      target.kind === "send"
        ? (["teleprinter.send", fieldsOf(publication.properties ?? {})] as const)
        : (["teleprinter.sync", {}] as const);
    const input = { deviceId: target.deviceId, content, ...fields, ...(nonce !== undefined && { nonce }) };
    const call = (): Promise<unknown> => telex.call(operation, live.holder, input, { origin: live, nonceReuse });
    await (target.kind === "from" && attendance !== null ? attendance.during(call) : call());
    return codes.success;
  };
  const state = async (payload: Publication["payload"]): Promise<number> => {
    const text = readText(payload);
    if (presence === null || (text !== "online" && text !== "offline")) return codes.payloadFormat;
    await (text === "online" ? presence.comes() : presence.leaves());
    return codes.success;
  };
  const run = (publication: Publication): Promise<number> => {
    const target = targetOf(login, publication.topic, discovery);
    if (target === null) return Promise.resolve(codes.notAuthorized);
    if (target.kind === "birth") return Promise.resolve(codes.success);
    return target.kind === "status" ? state(publication.payload) : sendText(target, publication);
  };
  return async (publication) => {
    try {
      return await run(publication);
    } catch (cause) {
      const error = TelexError.from(cause);
      if (error.code === "internal") telex.log.error("mqtt.publish_failed", { incident: error.incident }, error.cause);
      return refusalCodeOf(error) ?? "retry";
    }
  };
}
