import type { IncomingMessage } from "node:http";
import type { Telex, TokenHolder } from "@telex/core";
import { anonymous } from "@telex/core";
import type { RateLimiter } from "@telex/core/transport";
import { addressOf } from "../../link/guard.ts";
import type { FaultCause } from "../../link/faults.ts";
import type { Role } from "../../link/link.ts";
import { readToken } from "../../link/places.ts";
import type { Version } from "../../wire/dialect.ts";

const prefix = "/external/api/v1/onebot/";

/** The parts of a framework's request. */
export interface Wanted {
  readonly version: Version;
  readonly role: Role;
  /** The path after the version: the name of an action over HTTP. */
  readonly rest: string;
  readonly token: string | null;
}

/** Reads a request; null for a path outside the base path. */
export function readWanted(request: IncomingMessage, basePath: string): Wanted | null {
  const url = request.url ?? "";
  // First, because every request of the server comes here.
  if (!url.startsWith(basePath + prefix)) return null;
  const [path = ""] = url.split("?", 1);
  const [name = "", ...more] = path
    .slice(basePath.length + prefix.length)
    .replace(/\/$/, "")
    .split("/");
  const version = name === "v11" ? 11 : name === "v12" ? 12 : null;
  if (version === null || more.length > 1) return null;
  const [rest = ""] = more;
  const token = readToken(request);
  return { version, role: rest === "api" || rest === "event" ? rest : "universal", rest, token };
}

/** The holder of a valid token, or the status of the refusal. */
export type Admission = { readonly holder: TokenHolder } | { readonly status: number };

/** How the refusal of a request is counted and logged. */
export function refusalOf(status: number, { token }: Wanted): readonly [cause: FaultCause, detail?: string] {
  if (status === 401 || (status === 403 && token === null)) return [token === null ? "missing_token" : "wrong_token"];
  if (status === 403)
    return ["wrong_token", "a token that is wrong, lacks the scope chat, or whose user is not a OneBot account"];
  return status === 413
    ? ["oversized_frame"]
    : ["refused_request", `a request that was refused with HTTP status ${status}`];
}

export interface AdmissionDeps {
  readonly telex: Telex;
  readonly limiter: RateLimiter;
  /** Proxies in front whose `X-Forwarded-For` is trusted. */
  readonly proxies: number;
}

/** Finds the user for whom a framework acts: one who was made reachable, by their token with the scope `chat`. */
export async function admit(
  { telex, limiter, proxies }: AdmissionDeps,
  request: IncomingMessage,
  { token, version }: Wanted,
): Promise<Admission> {
  const address = (): string | null => addressOf(request, proxies);
  const caller = await telex.authenticate(token, address).catch(() => null);
  if (caller === null) return { status: 503 };
  if (limiter.count(caller.kind === "token" ? caller : anonymous, address, 1).refusal !== null) return { status: 429 };
  if (caller.kind !== "token") return { status: token === null || version === 12 ? 401 : 403 };
  if (!caller.scopes.includes("chat")) return { status: 403 };
  const [user] = await telex.oneBots(caller.userId);
  return user === undefined ? { status: 403 } : { holder: caller };
}
