import { type Telex, TelexError } from "@telex/core";
import { createFairQueue, createOnce } from "@telex/core/transport";
import { type Outgoing, OutgoingError } from "@telex/outgoing";
import { LRUCache } from "lru-cache";
import { encryptFor } from "./encrypt.ts";
import { encodePayload, type PushPayload } from "./payload.ts";
import type { Subscription } from "./records.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { Vapid } from "./vapid.ts";

/** Maximum notifications in progress, and waiting: of all people, and of one. */
const queueLimits = { running: 32, runningOfKey: 2, waiting: 10_000, waitingOfKey: 100, wait: 60_000 };

/** Seconds for which a push service keeps a notification for a browser that is away. */
const ttl = 86_400;

/** Milliseconds before the second and the third attempt, if the push service names no time. */
const pauses = [5000, 30_000] as const;

/** The longest time until another attempt, whatever the push service says. */
const longestPause = 60_000;

/** Notifications that wait for another attempt: of all people, and of one, who may have chosen a service that always asks for one. */
const mostRetries = { all: 1000, ofPerson: 50 };

/** Milliseconds for which an endpoint that does not answer is left alone: doubled with each failure. */
const rest = { first: 5000, longest: 3_600_000, endpoints: 20_000 } as const;

/** Makes the notification when its turn has come; null if it is no longer needed. */
type Make = (subscription: Subscription) => Promise<PushPayload | null>;

/** Sends notifications. */
export interface Delivery {
  /** Sends one as soon as its turn comes. Never waits and never throws. */
  readonly send: (subscription: Subscription, make: Make) => void;
  readonly end: () => void;
}

interface DeliveryDeps extends Pick<Telex, "clock" | "log"> {
  readonly outgoing: Pick<Outgoing, "send">;
  readonly vapid: Vapid;
  readonly subscriptions: Pick<Subscriptions, "end">;
}

/** `gone`: the subscription has ended. `later`: the push service has not taken it, and may take it then. */
type Outcome =
  | { readonly kind: "taken" }
  | { readonly kind: "gone" }
  | { readonly kind: "later"; readonly after: number | null }
  | { readonly kind: "failed"; readonly cause: string };

function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { kind: "taken" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status !== 429 && status < 500) return { kind: "failed", cause: String(status) };
  return { kind: "later", after: /^\d{1,6}$/.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : null };
}

const headersFor = async ({ vapid }: DeliveryDeps, { endpoint }: Subscription) => ({
  authorization: await vapid.authorize(new URL(endpoint)),
  "content-encoding": "aes128gcm",
  "content-type": "application/octet-stream",
  ttl: String(ttl),
});

async function post(deps: DeliveryDeps, to: Subscription, payload: PushPayload): Promise<Outcome> {
  const headers = await headersFor(deps, to);
  const body = encryptFor(to, encodePayload(payload));
  try {
    const answer = await deps.outgoing.send(to.endpoint, { method: "POST", headers, body });
    return outcomeOf(answer.status, answer.headers["retry-after"]);
  } catch (cause) {
    // It may have been taken, so it is not sent again.
    if (cause instanceof OutgoingError) return { kind: "failed", cause: cause.failure };
    throw cause;
  }
}

/** Endpoints that fail are left alone for a while, so that they take no time from others. */
function createResting(now: () => number) {
  const resting = new LRUCache<string, { readonly time: number; readonly until: number }>({
    maxSize: rest.endpoints,
    sizeCalculation: () => 1,
  });
  return {
    has: (id: string): boolean => (resting.get(id)?.until ?? 0) > now(),
    add(id: string): void {
      const time = Math.min(rest.longest, 2 * (resting.get(id)?.time ?? rest.first / 2));
      resting.set(id, { time, until: now() + time });
    },
    remove: (id: string): void => void resting.delete(id),
  };
}

const countOf = (userIds: Iterable<number>, userId: number): number =>
  Array.from(userIds).filter((one) => one === userId).length;

/** Sends notifications simultaneously, a few for each person, and drops those above the limits. */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { clock, log, subscriptions } = deps;
  const queue = createFairQueue(queueLimits, clock);
  const ended = new AbortController();
  /** The people for whom others wait, by what cancels it. */
  const retries = new Map<() => void, number>();
  const isFirst = createOnce(clock);
  const resting = createResting(() => clock.now());
  const noteFailure = (cause: string, userId: number): void => {
    if (!ended.signal.aborted && isFirst(`${cause} ${userId}`)) log.warn("push.failed", { userId, cause });
  };
  const isFull = (userId: number): boolean =>
    retries.size >= mostRetries.all || countOf(retries.values(), userId) >= mostRetries.ofPerson;
  const retry = (to: Subscription, make: Make, number: number, after: number | null): void => {
    const pause = pauses[number];
    if (pause === undefined || isFull(to.userId)) return noteFailure("refused", to.userId);
    const cancel = clock.after(Math.min(after ?? pause, longestPause), () => {
      retries.delete(cancel);
      enqueue(to, make, number + 1);
    });
    retries.set(cancel, to.userId);
  };
  const settle = async (to: Subscription, make: Make, number: number, outcome: Outcome): Promise<void> => {
    if (outcome.kind === "taken") return resting.remove(to.id);
    if (outcome.kind === "gone") return void (await subscriptions.end(to.userId, to.id));
    if (outcome.kind === "later") return retry(to, make, number, outcome.after);
    resting.add(to.id);
    noteFailure(outcome.cause, to.userId);
  };
  const attempt = async (to: Subscription, make: Make, number: number): Promise<void> => {
    if (ended.signal.aborted || resting.has(to.id)) return;
    const payload = await make(to);
    if (payload !== null && !ended.signal.aborted) await settle(to, make, number, await post(deps, to, payload));
  };
  function enqueue(to: Subscription, make: Make, number: number): void {
    // Without the signal, which would search its thousands of listeners for each new one. After the end, each task returns in its turn.
    queue
      .run(String(to.userId), undefined, () => attempt(to, make, number))
      .catch((error: unknown) => {
        if (TelexError.from(error).code === "rate_limited") noteFailure("dropped", to.userId);
        else if (!ended.signal.aborted) log.error("push.failed", { userId: to.userId }, error);
      });
  }
  return {
    send: (to, make) => enqueue(to, make, 0),
    end() {
      ended.abort();
      for (const cancel of retries.keys()) cancel();
    },
  };
}
