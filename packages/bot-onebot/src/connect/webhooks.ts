import type { IncomingMessage, ServerResponse } from "node:http";
import { createSlots } from "@telex/ws/acceptor";
import { headersOfStatus } from "../link/http-body.ts";
import {
  type WebhookAccount,
  type Slots,
  type WebhookAddress,
  readAddress,
  type Proof,
  proofOf,
  isProven,
  isGenuine,
} from "./webhook-proof.ts";
import { type WebhooksDeps, takePosted, readEvent } from "./webhook-post.ts";

/** Maximum events of an account that wait for their response. */
const maxWaiting = 64;

/** A request whose proof may be checked. */
interface Asked {
  readonly request: IncomingMessage;
  readonly address: WebhookAddress;
  readonly proof: Proof;
}

/** The status of the refusal of an event without a valid proof: the same whether its account exists or not. */
function refusalOf({ faults }: WebhooksDeps, { address, proof }: Asked): 401 | 403 {
  const isMissing = proof.kind === "none";
  faults.tell("", isMissing ? "missing_token" : "wrong_token");
  return isMissing || address.version === 12 ? 401 : 403;
}

/** The status of the response to an event whose body must prove its sender. */
async function takeUnproven(deps: WebhooksDeps, waiting: Slots, call: Asked, match: WebhookAccount): Promise<number> {
  const { request, address, proof } = call;
  const attempt = deps.guard.begin(request);
  if (attempt === null) {
    deps.faults.tell("", "too_many_events");
    return 503;
  }
  const event = await readEvent(deps, request).finally(() => attempt.end());
  if (event === null) return 413;
  const secret = match.options.token;
  if (!isGenuine(secret, proof, event)) return refusalOf(deps, call);
  attempt.genuine();
  const signature = secret !== null && proof.kind === "signature" ? proof.header : null;
  return takePosted(deps, waiting, { ...address, http: match.http, event: event.toString(), signature });
}

/** The status of the response to an event. */
async function take(
  deps: WebhooksDeps,
  waiting: Slots,
  request: IncomingMessage,
  address: WebhookAddress,
): Promise<number> {
  const { faults, guard } = deps;
  if (!deps.isRunning()) return 503;
  if (request.method !== "POST") return 405;
  if (guard.isBarred(request)) {
    faults.tell("", "rate_limited");
    return 429;
  }
  const call = { request, address, proof: proofOf(request, address) };
  const { proof } = call;
  const account = deps.find(address.account);
  const secret = account?.options.token ?? null;
  if (account !== null && (secret === null || proof.kind === "signature"))
    return takeUnproven(deps, waiting, call, account);
  if (account === null || !isProven(secret, proof)) {
    guard.refused(request);
    return refusalOf(deps, call);
  }
  const event = await readEvent(deps, request);
  if (event === null) return 413;
  return takePosted(deps, waiting, { ...address, http: account.http, event: event.toString(), signature: null });
}

/** Writes a response without a body, unless its connection has ended. */
function respond(request: IncomingMessage, response: ServerResponse, status: number): void {
  if (response.destroyed) return;
  // An unread body would block the next request of the connection.
  request.resume();
  const length = status === 204 ? {} : { "content-length": 0 };
  response.writeHead(status, { ...length, ...headersOfStatus(status) });
  response.end();
}

/** Takes the events that implementations post at `/onebot/v11/webhook/<account>` and `/onebot/v12/webhook/<account>`. */
export function createWebhooks(deps: WebhooksDeps) {
  const waiting = createSlots(maxWaiting);
  const prefix = `${deps.basePath}/onebot/`;
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const url = request.url ?? "";
    // First, because every request of the server comes here.
    if (!url.startsWith(prefix)) return false;
    const address = readAddress(url.split("?", 1)[0] ?? "", deps.basePath);
    if (address === null) return false;
    const answer = (status: number): void => respond(request, response, status);
    // A request that breaks off needs no response.
    take(deps, waiting, request, address).then(answer, () => answer(400));
    return true;
  };
}
