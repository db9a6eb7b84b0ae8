import type { IncomingMessage } from "node:http";
import type { Version } from "../wire/dialect.ts";
import { offeredProtocols } from "@telex/ws/acceptor";
import type { Role } from "./link.ts";

const places: Readonly<Record<string, Version | null>> = {
  "/onebot": null,
  "/onebot/v11": 11,
  "/onebot/v11/ws": 11,
  "/onebot/v12": 12,
  "/onebot/v12/ws": 12,
};

/** The headers of an implementation's request. */
export interface Entrance {
  /** Null if only the first frame will tell. */
  readonly version: Version | null;
  readonly role: Role;
  /** The subprotocol that the implementation offers and expects to see. */
  readonly protocol: string | undefined;
  /** Null without one. */
  readonly token: string | null;
  /** `X-Self-ID`, or null. */
  readonly selfId: string | null;
}

const one = (header: string | string[] | undefined): string | null =>
  (typeof header === "string" ? header : header?.[0]) ?? null;

/** The token of the header, otherwise of the query. An empty one counts as missing, also in the header. */
export function readToken({ headers, url = "" }: IncomingMessage): string | null {
  const header = (headers.authorization ?? "").trim();
  if (header !== "" && !/^(?:Bearer|Token)$/i.test(header))
    return /^(?:Bearer|Token) +(\S+)$/i.exec(header)?.[1] ?? null;
  return new URLSearchParams(url.split("?").slice(1).join("?")).get("access_token") || null;
}

const roles: ReadonlyMap<string, Role> = new Map([
  ["api", "api"],
  ["event", "event"],
]);

/** The version by the first thing that shows it; null if nothing does. */
function readVersion({ headers }: IncomingMessage, protocol: string | undefined, ofPath: Version | null) {
  if (protocol === "12" || protocol?.startsWith("12.") === true) return 12;
  return one(headers["x-onebot-version"]) === "12" ? 12 : ofPath;
}

/** Reads the request of an implementation; null for a path outside the base path. */
export function readEntrance(request: IncomingMessage, basePath: string): Entrance | null {
  const [path = ""] = (request.url ?? "").split("?", 1);
  const place = path.startsWith(basePath) ? path.slice(basePath.length).replace(/(?<=.)\/$/, "") : "";
  const ofPath = Object.hasOwn(places, place) ? places[place] : undefined;
  if (ofPath === undefined) return null;
  const protocol = offeredProtocols(request.headers["sec-websocket-protocol"])?.[0];
  const version = readVersion(request, protocol, ofPath);
  const role = roles.get(one(request.headers["x-client-role"])?.toLowerCase() ?? "") ?? "universal";
  return {
    version,
    role: version === 12 ? "universal" : role,
    protocol,
    token: readToken(request),
    selfId: one(request.headers["x-self-id"]),
  };
}
