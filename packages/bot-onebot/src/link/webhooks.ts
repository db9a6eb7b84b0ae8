import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createPlaces } from "@telex/ws/acceptor";
import type { BotFaults } from "../account/faults.ts";
import type { OneBotAccount } from "../account/options.ts";
import type { Version } from "../wire/dialect.ts";
import { readJson } from "../wire/frames.ts";
import { digestOf } from "./doorman.ts";
import type { Guard } from "./guard.ts";
import { readRequest } from "./http-body.ts";
import type { KeptHttp } from "./keep-http.ts";
import { readToken } from "./places.ts";
import type { Replays } from "./replays.ts";

/** Bytes of an event. */
const eventSize = 2 ** 20;
/** Events of an account that may wait for their response. */
const mostWaiting = 64;

/** An account whose implementation posts its events. */
export interface WebhookAccount {
  readonly options: OneBotAccount;
  readonly http: Pick<KeptHttp, "take">;
}

/** What taking events needs. */
interface WebhooksDeps {
  readonly basePath: string;
  readonly find: (account: string) => WebhookAccount | null;
  readonly faults: BotFaults;
  readonly guard: Guard;
  readonly replays: Replays;
  /** False before the start and after the end. */
  readonly isRunning: () => boolean;
}

type Places = ReturnType<typeof createPlaces>;

interface Place {
  readonly version: Version;
  readonly account: string;
}

/** The account and version of a path; null for the path of somebody else. */
function readPlace(path: string, basePath: string): Place | null {
  const rest = path.startsWith(basePath) ? path.slice(basePath.length) : "";
  const [, version, name = ""] = /^\/onebot\/v1([12])\/webhook\/([^/]+)\/?$/.exec(rest) ?? [];
  if (version === undefined) return null;
  try {
    return { version: version === "1" ? 11 : 12, account: decodeURIComponent(name) };
  } catch {
    return null;
  }
}

const isSame = (given: string, expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

/** The signature of an event of OneBot 11; null for one that shows the token. */
function signatureOf({ headers }: IncomingMessage, { version }: Place): string | null {
  const signature = headers["x-signature"];
  return version === 11 && typeof signature === "string" ? signature : null;
}

/** True if the event comes from who knows the secret: under OneBot 11 by its signature, otherwise by the token. */
function isGenuine(request: IncomingMessage, place: Place, secret: string, event: string): boolean {
  const signature = signatureOf(request, place);
  if (signature !== null) return isSame(signature, `sha1=${createHmac("sha1", secret).update(event).digest("hex")}`);
  const token = readToken(request);
  return token !== null && digestOf(token) === digestOf(secret);
}

const isAnonymous = ({ headers, url = "" }: IncomingMessage): boolean =>
  headers["x-signature"] === undefined && headers.authorization === undefined && !url.includes("access_token=");

/** An event that its account has posted. */
interface Posted {
  readonly http: WebhookAccount["http"];
  readonly account: string;
  readonly event: string;
  readonly version: Version;
  /** Null for one that is not signed. */
  readonly signature: string | null;
}

/** False if there is no room for the event. */
async function handOver({ faults, replays }: WebhooksDeps, posted: Posted, frame: object | null): Promise<boolean> {
  const { http, account, event, version, signature } = posted;
  const isOld = signature !== null && (await replays.isOld(account, signature, frame));
  if (isOld) faults.tell(account, "replayed_event");
  return http.take(event, version, isOld);
}

/** The status of the response to an event of who it says. */
async function takePosted(deps: WebhooksDeps, waiting: Places, posted: Posted): Promise<number> {
  const { account, event } = posted;
  const frame = readJson(event);
  if (typeof frame !== "object") {
    deps.faults.tell(account, "malformed_frame");
    return 400;
  }
  const leave = waiting.take(account);
  try {
    if (leave !== null && (await handOver(deps, posted, frame))) return 204;
  } finally {
    leave?.();
  }
  deps.faults.tell(account, "too_many_events");
  return 503;
}

/** The status of the response to an event. */
async function take(deps: WebhooksDeps, waiting: Places, request: IncomingMessage, place: Place): Promise<number> {
  const { faults, guard } = deps;
  if (!deps.isRunning()) return 503;
  if (request.method !== "POST") return 405;
  if (guard.isBarred(request)) {
    faults.tell("", "rate_limited");
    return 429;
  }
  const found = deps.find(place.account);
  const secret = found?.options.token ?? null;
  const refuse = (status: 401 | 403): number => {
    guard.refused(request);
    faults.tell("", isAnonymous(request) ? "missing_token" : "wrong_token");
    return status;
  };
  // An account that does not exist is refused like one whose secret is wrong.
  if ((found === null || secret !== null) && isAnonymous(request)) return refuse(401);
  const event = await readRequest(request, eventSize);
  if (event === null) {
    faults.tell("", "oversized_frame");
    return 413;
  }
  if (found === null || (secret !== null && !isGenuine(request, place, secret, event))) {
    return refuse(place.version === 12 ? 401 : 403);
  }
  const signature = secret === null ? null : signatureOf(request, place);
  return takePosted(deps, waiting, { ...place, http: found.http, event, signature });
}

/** Takes the events that implementations post at `/onebot/v11/webhook/<account>` and `/onebot/v12/webhook/<account>`. */
export function createWebhooks(deps: WebhooksDeps) {
  const waiting = createPlaces(mostWaiting);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const place = readPlace((request.url ?? "").split("?", 1)[0] ?? "", deps.basePath);
    if (place === null) return false;
    const answer = (status: number): void => {
      if (response.destroyed) return;
      // What is not read would hold up the next request of the connection.
      request.resume();
      response.writeHead(status, {
        ...(status !== 204 && { "content-length": 0 }),
        ...(status === 401 && { "www-authenticate": 'Bearer realm="onebot"' }),
        ...(status === 405 && { allow: "POST" }),
        ...(status === 413 && { connection: "close" }),
      });
      response.end();
    };
    // A request that breaks off needs no response.
    take(deps, waiting, request, place).then(answer, () => answer(400));
    return true;
  };
}
