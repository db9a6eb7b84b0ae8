import type { IncomingMessage } from "node:http";
import type { BotFaults } from "../link/faults.ts";
import type { Version } from "../wire/dialect.ts";
import { readJson } from "../wire/frames.ts";
import type { Guard } from "../link/guard.ts";
import { readRequest } from "../link/http-body.ts";
import type { Incoming } from "../link/incoming.ts";
import type { Replays } from "../link/replays.ts";
import type { WebhookAccount, Slots } from "./webhook-proof.ts";

/** Maximum bytes of an event. */
const eventSize = 2 ** 20;

export interface WebhooksDeps {
  readonly basePath: string;
  readonly find: (account: string) => WebhookAccount | null;
  readonly faults: BotFaults;
  readonly guard: Guard;
  readonly replays: Replays;
  readonly incoming: Incoming;
  /** False before the start and after the end. */
  readonly isRunning: () => boolean;
}

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

/** The status of the response to an event whose sender is proven. */
export async function takePosted(deps: WebhooksDeps, waiting: Slots, posted: Posted): Promise<number> {
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
export async function readEvent({ faults, incoming }: WebhooksDeps, request: IncomingMessage): Promise<Buffer | null> {
  const tooMuch = (): void => faults.tell("", "too_much");
  const event = await readRequest(request, { most: eventSize, incoming, tooMuch });
  if (event === null) faults.tell("", "oversized_frame");
  return event;
}
