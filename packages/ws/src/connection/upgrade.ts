import type { IncomingMessage } from "node:http";
import { type Issue, TelexError } from "@telex/core";
import type { Channel } from "../channels/channel.ts";
import { channels } from "../channels/channels.ts";

/** Where an upgrade wants to go. */
export interface Target {
  readonly channel: Channel;
  /** The last segment of the path; null where it is missing or not correctly encoded. */
  readonly token: string | null;
  readonly query: URLSearchParams;
}

function decodeToken(segment: string): string | null {
  try {
    return segment === "" ? null : decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The channel of an address below `base`, or null where there is none: the rest of the path is the token. */
export function findTarget(url: string, base: string): Target | null {
  const [path = "", ...query] = url.split("?");
  for (const channel of channels) {
    const place = base + channel.path;
    const rest = path === place ? "" : path.startsWith(`${place}/`) ? path.slice(place.length + 1) : null;
    if (rest === null || rest.includes("/")) continue;
    return { channel, token: decodeToken(rest), query: new URLSearchParams(query.join("?")) };
  }
  return null;
}

const keyPattern = /^[+/0-9A-Za-z]{22}==$/;
const versions = ["13", "8"];
const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The subprotocols that a client offers, or null where the header is not a list of distinct names. */
export function offeredProtocols(header: string | undefined): readonly string[] | null {
  if (header === undefined) return [];
  const names = header.split(",").map((name) => name.trim());
  const distinct = new Set(names).size === names.length;
  return distinct && names.every((name) => tokenPattern.test(name)) ? names : null;
}

const invalidHeader = (path: string, value: string | undefined): Issue => ({
  path,
  problem: value === undefined ? "required" : "invalid",
  params: {},
});

/** Why a request cannot become a WebSocket, or null where it can (RFC 6455 4.2.1). */
export function checkHandshake({
  method = "",
  headers,
}: Pick<IncomingMessage, "method" | "headers">): TelexError | null {
  if (method !== "GET") return new TelexError("method_not_allowed", { params: { method, allow: "GET" } });
  const {
    upgrade,
    "sec-websocket-key": key,
    "sec-websocket-version": version,
    "sec-websocket-protocol": protocol,
  } = headers;
  const issues = [
    ...(upgrade?.toLowerCase() === "websocket" ? [] : [invalidHeader("upgrade", upgrade)]),
    ...(key !== undefined && keyPattern.test(key) ? [] : [invalidHeader("sec-websocket-key", key)]),
    ...(version !== undefined && versions.includes(version) ? [] : [invalidHeader("sec-websocket-version", version)]),
    ...(offeredProtocols(protocol) === null ? [invalidHeader("sec-websocket-protocol", protocol)] : []),
  ];
  return issues.length === 0 ? null : new TelexError("invalid_request", { issues });
}
