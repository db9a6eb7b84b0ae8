import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createPlaces } from "@telex/ws/acceptor";
import type { BotFaults } from "../link/faults.ts";
import type { OneBotAccount } from "../account/options.ts";
import type { Version } from "../wire/dialect.ts";
import { readJson } from "../wire/frames.ts";
import { digestOf } from "./doorman.ts";
import type { Guard } from "../link/guard.ts";
import { headersOfStatus, readRequest } from "../link/http-body.ts";
import type { Incoming } from "../link/incoming.ts";
import type { KeptHttp } from "./keep-http.ts";
import { readToken } from "../link/places.ts";
import type { Replays } from "../link/replays.ts";

/** Bytes of an event. */
const eventSize = 2 ** 20;
/** Events of an account that may wait for their response. */
const mostWaiting = 64;

/** An account whose implementation posts its events. */
export interface WebhookAccount {
  readonly options: OneBotAccount;
  readonly http: Pick<KeptHttp, "take">;
}

interface WebhooksDeps {
  readonly basePath: string;
  readonly find: (account: string) => WebhookAccount | null;
  readonly faults: BotFaults;
  readonly guard: Guard;
  readonly replays: Replays;
  readonly incoming: Incoming;
  /** False before the start and after the end. */
  readonly isRunning: () => boolean;
}

type Places = ReturnType<typeof createPlaces>;

interface Place {
  readonly version: Version;
  readonly account: string;
}

/** Where events are posted, for each version, without what the host keeps before it. */
export const webhookPaths: Readonly<Record<Version, string>> = {
  11: "/onebot/v11/webhook/",
  12: "/onebot/v12/webhook/",
};

/** The account and version of a path; null for the path of somebody else. */
function readPlace(path: string, basePath: string): Place | null {
  const rest = path.startsWith(basePath) ? path.slice(basePath.length) : "";
  const version = ([11, 12] as const).find((one) => rest.startsWith(webhookPaths[one]));
  const name = version === undefined ? "" : rest.slice(webhookPaths[version].length).replace(/\/$/, "");
  if (version === undefined || name === "" || name.includes("/")) return null;
  try {
    return { version, account: decodeURIComponent(name) };
  } catch {
    return null;
  }
}

/** The proof of origin that an event carries. */
type Proof =
  | { readonly kind: "none" }
  /** A token, or what is no proof: that is a wrong one. */
  | { readonly kind: "token"; readonly digest: string | null }
  /** Of the body, under OneBot 11. */
  | { readonly kind: "signature"; readonly header: string; readonly bytes: Buffer };

function proofOf(request: IncomingMessage, { version }: Place): Proof {
  const header = version === 11 ? request.headers["x-signature"] : undefined;
  if (typeof header === "string") {
    const digits = /^sha1=([0-9a-f]{40})$/i.exec(header)?.[1];
    // The length of a signature says nothing about an account: a wrong one is refused before any look-up.
    return digits === undefined
      ? { kind: "token", digest: null }
      : { kind: "signature", header, bytes: Buffer.from(digits, "hex") };
  }
  const digest = digestOf(readToken(request));
  return digest === null ? { kind: "none" } : { kind: "token", digest };
}

/** False if only the body can show it. */
const isProven = (secret: string | null, proof: Proof): boolean =>
  secret !== null && proof.kind === "token" && proof.digest === digestOf(secret);

/** True if the body proves its sender, or if the account needs no proof. */
const isGenuine = (secret: string | null, proof: Proof, event: Buffer): boolean =>
  secret === null ||
  (proof.kind === "signature" && timingSafeEqual(proof.bytes, createHmac("sha1", secret).update(event).digest()));

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

/** The body of an event; null if it is too large. */
async function readEvent({ faults, incoming }: WebhooksDeps, request: IncomingMessage): Promise<Buffer | null> {
  const tooMuch = (): void => faults.tell("", "too_much");
  const event = await readRequest(request, { most: eventSize, incoming, tooMuch });
  if (event === null) faults.tell("", "oversized_frame");
  return event;
}

/** A request that may be looked at. */
interface Asked {
  readonly request: IncomingMessage;
  readonly place: Place;
  readonly proof: Proof;
}

/** The status of the refusal of an event that shows nothing, or what is wrong: the same whether its account exists or not. */
function refusalOf({ faults }: WebhooksDeps, { place, proof }: Asked): 401 | 403 {
  const isMissing = proof.kind === "none";
  faults.tell("", isMissing ? "missing_token" : "wrong_token");
  return isMissing || place.version === 12 ? 401 : 403;
}

/** The status of the response to an event whose body must show whom it comes from. */
async function takeUnproven(deps: WebhooksDeps, waiting: Places, asked: Asked, found: WebhookAccount): Promise<number> {
  const { request, place, proof } = asked;
  const attempt = deps.guard.begin(request);
  if (attempt === null) {
    deps.faults.tell("", "too_many_events");
    return 503;
  }
  const event = await readEvent(deps, request).finally(() => attempt.end());
  if (event === null) return 413;
  const secret = found.options.token;
  if (!isGenuine(secret, proof, event)) return refusalOf(deps, asked);
  attempt.genuine();
  const signature = secret !== null && proof.kind === "signature" ? proof.header : null;
  return takePosted(deps, waiting, { ...place, http: found.http, event: event.toString(), signature });
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
  const asked = { request, place, proof: proofOf(request, place) };
  const { proof } = asked;
  const found = deps.find(place.account);
  const secret = found?.options.token ?? null;
  if (found !== null && (secret === null || proof.kind === "signature")) {
    return takeUnproven(deps, waiting, asked, found);
  }
  if (found === null || !isProven(secret, proof)) {
    guard.refused(request);
    return refusalOf(deps, asked);
  }
  const event = await readEvent(deps, request);
  if (event === null) return 413;
  return takePosted(deps, waiting, { ...place, http: found.http, event: event.toString(), signature: null });
}

/** Takes the events that implementations post at `/onebot/v11/webhook/<account>` and `/onebot/v12/webhook/<account>`. */
export function createWebhooks(deps: WebhooksDeps) {
  const waiting = createPlaces(mostWaiting);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const place = readPlace((request.url ?? "").split("?", 1)[0] ?? "", deps.basePath);
    if (place === null) return false;
    const answer = (status: number): void => {
      if (response.destroyed) return;
      // An unread body would hold up the next request of the connection.
      request.resume();
      response.writeHead(status, {
        ...(status !== 204 && { "content-length": 0 }),
        ...headersOfStatus(status),
      });
      response.end();
    };
    // A request that breaks off needs no response.
    take(deps, waiting, request, place).then(answer, () => answer(400));
    return true;
  };
}
