import type { TokenHolder } from "@telex/core";
import { isFilter, readTopic, topicOf } from "./topics.ts";

/** The login of a connection: one device, or a user with all of the user's devices. */
export type Login =
  | {
      readonly as: "device";
      readonly deviceId: string;
      readonly holder: TokenHolder;
      /** True if the device gets its token over this connection. */
      readonly isPairing: boolean;
    }
  | { readonly as: "owner"; readonly holder: TokenHolder };

/** A topic that a client may publish to. `birth`: the birth message of Home Assistant, which has no effect. */
export type Target =
  | { readonly kind: "from" | "status"; readonly deviceId: string }
  | { readonly kind: "send"; readonly deviceId: string }
  | { readonly kind: "birth" };

/** The topics of a device that its owner may read. */
const ownerReads: readonly unknown[] = ["status", "from"];

function isOwnerFilter(filter: string, discovery: string | null): boolean {
  const levels = filter.split("/");
  const [first, device, topic, ...rest] = levels;
  if (discovery !== null && first === discovery) return levels.length > 1;
  return first === "telex" && device !== undefined && device !== "#" && ownerReads.includes(topic) && rest.length === 0;
}

/**
 * True if a login may subscribe to a filter. An owner's filter may have wildcards, because topics of other owners are never published to it.
 * @param discovery the first level of the topics of discovery; null without discovery
 */
export function canSubscribe(login: Login, filter: string, discovery: string | null): boolean {
  if (!isFilter(filter)) return false;
  if (login.as === "owner") return isOwnerFilter(filter, discovery);
  const topics = ["to", "status", ...(login.isPairing ? (["token"] as const) : [])] as const;
  return topics.some((topic) => filter === topicOf(login.deviceId, topic));
}

/** The topic that a login may publish to under this name; null if it may not. */
export function targetOf(login: Login, name: string, discovery: string | null): Target | null {
  const topic = readTopic(name);
  if (login.as === "owner") {
    if (topic?.name === "send") return { kind: "send", deviceId: topic.deviceId };
    return discovery !== null && name === `${discovery}/status` ? { kind: "birth" } : null;
  }
  if (topic === null || topic.deviceId !== login.deviceId) return null;
  return topic.name === "from" || topic.name === "status" ? { kind: topic.name, deviceId: topic.deviceId } : null;
}
