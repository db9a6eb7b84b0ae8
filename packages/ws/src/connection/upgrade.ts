import type { IncomingMessage } from "node:http";
import { TelexError } from "@telex/core";
import type { Issue } from "@telex/core/transport";
import type { Channel } from "../channels/channel.ts";

/** The channel and token of an upgrade. */
export interface Target {
  readonly channel: Channel;
  /** The last segment of the path, decoded; `""` if it is incorrectly encoded, null if it is missing. */
  readonly token: string | null;
  readonly query: URLSearchParams;
}

function decodeToken(segment: string): string | null {
  try {
    return segment === "" ? null : decodeURIComponent(segment);
  } catch {
    return "";
  }
}

/** Finds the channel of an address below `basePath`, or null. The rest of the path is the token. */
export function findTarget(channels: readonly Channel[], url: string, basePath: string): Target | null {
  const [path = "", ...query] = url.split("?");
  for (const channel of channels) {
    const place = basePath + channel.path;
    const rest = path === place ? "" : path.startsWith(`${place}/`) ? path.slice(place.length + 1) : null;
    if (rest === null || rest.includes("/")) continue;
    return { channel, token: decodeToken(rest), query: new URLSearchParams(query.join("?")) };
  }
  return null;
}

const keyPattern = /^[+/0-9A-Za-z]{22}==$/;
const versions = ["13", "8"];
const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The subprotocols that a client offers, or null if the header is not a list of distinct names. */
export function offeredProtocols(header: string | undefined): readonly string[] | null {
  if (header === undefined) return [];
  const names = header.split(",").map((name) => name.trim());
  const distinct = new Set(names).size === names.length;
  return distinct && names.every((name) => tokenPattern.test(name)) ? names : null;
}

/** The subprotocol of Telex. With it, a browser can send its token outside the address. */
const ownProtocol = "telex";
const bearerPrefix = "bearer.";

/** Chooses one of the subprotocols that a client offers, never one that contains a token. */
export function chooseProtocol(header: string | undefined): string | undefined {
  const offered = offeredProtocols(header) ?? [];
  return offered.includes(ownProtocol) ? ownProtocol : offered.find((name) => !name.startsWith(bearerPrefix));
}

/**
 * The access token of an upgrade: from the last segment of its path (interface 4.8), from `Authorization: Bearer`, or from a
 * subprotocol `bearer.<token>`. Null without one. Other kinds of credentials in the header are ignored.
 * @throws TelexError `invalid_request` (`token_mismatch`) if two places hold different tokens
 */
export function readUpgradeToken(segment: string | null, headers: IncomingMessage["headers"]): string | null {
  const fromHeader = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const fromProtocols = (offeredProtocols(headers["sec-websocket-protocol"]) ?? [])
    .filter((name) => name.startsWith(bearerPrefix))
    .map((name) => name.slice(bearerPrefix.length));
  const places = [segment, fromHeader, ...fromProtocols];
  const tokens = new Set(places.filter((token) => token !== null && token !== undefined));
  if (tokens.size > 1) throw new TelexError("invalid_request", { reason: "token_mismatch" });
  const [token = null] = tokens;
  return token;
}

const invalidHeader = (path: string, value: string | undefined): Issue => ({
  path,
  problem: value === undefined ? "required" : "invalid",
  params: {},
});

const wrongHeaders = ({
  upgrade,
  "sec-websocket-key": key,
  "sec-websocket-version": version,
  "sec-websocket-protocol": protocol,
}: IncomingMessage["headers"]): Issue[] => [
  ...(upgrade?.toLowerCase() === "websocket" ? [] : [invalidHeader("upgrade", upgrade)]),
  ...(key !== undefined && keyPattern.test(key) ? [] : [invalidHeader("sec-websocket-key", key)]),
  ...(version !== undefined && versions.includes(version) ? [] : [invalidHeader("sec-websocket-version", version)]),
  ...(offeredProtocols(protocol) === null ? [invalidHeader("sec-websocket-protocol", protocol)] : []),
];

/** The reason why a request cannot become a WebSocket, or null if it can (RFC 6455 4.2.1). */
export function checkHandshake({
  method = "",
  headers,
}: Pick<IncomingMessage, "method" | "headers">): TelexError | null {
  if (method !== "GET") return new TelexError("method_not_allowed", { params: { method, allow: "GET" } });
  const issues = wrongHeaders(headers);
  return issues.length === 0 ? null : new TelexError("invalid_request", { issues });
}
