import type { TokenHolder, CallContext } from "@telex/ground/contract";
import type { Waiting } from "@telex/ground/concurrency";
import { TelexError } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import { type BusLink, topics } from "@telex/ground/bus";
import type { TeleprinterLimits } from "./limits.ts";
import type { LiveConnections } from "@telex/ground/live";
import type { Holders } from "./holders.ts";
import { refusal } from "./refusal.ts";
import type { DeviceHeld, DeviceKey, DeviceTake, TeleprinterStore, TextOrder } from "./store.ts";
import type { DeviceMessageRecord } from "../records/teleprinter.ts";

export type PollBus = Pick<BusLink<never>, "hasPeers" | "follow">;

interface PollDeps {
  readonly store: TeleprinterStore;
  readonly waiting: Waiting;
  readonly bus: PollBus;
  readonly holders: Holders;
  readonly freed: (deviceId: string) => void;
  readonly lookUntil: (deviceId: string, end: number) => void;
  readonly live: Pick<LiveConnections<never>, "attach">;
  readonly clock: Clock;
  readonly limits: TeleprinterLimits;
  readonly log: Logger;
  readonly delivered: (key: DeviceKey, ids: readonly number[]) => void;
}

/** A poll. `wait` in seconds. */
interface PollRequest extends DeviceKey {
  readonly limit: number;
  readonly wait: number;
  /** Undefined for a poll that acknowledges nothing. */
  readonly ack: PollAck | undefined;
  readonly order: TextOrder | undefined;
  readonly caller: TokenHolder;
}

/** The texts that a device has received, and those that it gives up. */
export type PollAck = Pick<Parameters<TeleprinterStore["acknowledge"]>[0], "upTo" | "ids" | "failedIds">;

const choiceOf = ({ caller: { withoutRooms = false }, order }: PollRequest) => ({
  withoutRooms,
  ...(order !== undefined && { order }),
});

interface Asking extends PollRequest {
  /** Aborted when the caller goes away, or its token ends. */
  readonly signal: AbortSignal | undefined;
  /** @throws TelexError `invalid_token` once the token has ended */
  readonly assertToken: () => void;
}

type Messages = readonly DeviceMessageRecord[];

/** Asks until there are texts, the time is over, or the caller has left. */
const askUntil = (deps: PollDeps, asking: Asking, ask: () => Promise<Messages>): Promise<Messages> =>
  asking.wait === 0 ? ask() : askWhileFollowing(deps, asking, ask);

async function askWhileFollowing(deps: PollDeps, asking: Asking, ask: () => Promise<Messages>): Promise<Messages> {
  const following = deps.bus.follow(topics.device(asking.deviceId));
  try {
    await following.ready;
    return await askAgain(deps, asking, ask);
  } finally {
    following.end();
  }
}

/** Asks whenever it is woken, until another connection takes over. With several servers, it also asks at an interval: a bus may lose a wake-up, and a killed server sends none. */
async function askAgain(
  { waiting, clock, bus, limits }: PollDeps,
  { deviceId, wait, signal, assertToken }: Asking,
  ask: () => Promise<Messages>,
): Promise<Messages> {
  const until = clock.now() + wait * 1000;
  const pause = bus.hasPeers ? limits.deviceLease / 3 : wait * 1000;
  for (;;) {
    // Begins to wait before it asks, so that no text between the two is missed.
    const waiter = waiting.wait(deviceId, Math.min(until, clock.now() + pause), signal);
    try {
      const messages = await ask();
      if (messages.length > 0) return messages;
      if (await waiter.woken) return [];
      assertToken();
    } finally {
      waiter.cancel();
    }
  }
}

/** If a call fails that takes messages, marks them or puts them back, they may stay held. */
async function lookedAfter<T>(
  { clock, limits, lookUntil }: PollDeps,
  deviceId: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    lookUntil(deviceId, clock.now() + limits.pollLease);
    throw cause;
  }
}

/**
 * A poll gets no texts while another holder has the queue, until that one has delivered. A holder that is gone is replaced, which takes
 * a while if its server has to be asked.
 */
async function askAfter(
  { holders, log }: PollDeps,
  deviceId: string,
  { held, ask }: { readonly held: DeviceHeld; readonly ask: () => Promise<Messages> },
): Promise<Messages> {
  const isGone = holders.isGone(held.holder);
  const checked = holders.check(deviceId, held.holder);
  if (isGone) return checked.then(ask);
  checked.catch((cause: unknown) => log.error("poll.check_failed", { deviceId }, cause));
  return [];
}

function createPollBatch(deps: PollDeps, key: DeviceKey) {
  const { store, holders, clock, limits, freed } = deps;
  const { deviceId } = key;
  let isAwaited = false;
  const entered = holders.enter(() => {
    isAwaited = true;
    return Promise.resolve("busy");
  });
  const { holder } = entered;
  const safely = <T>(call: () => Promise<T>): Promise<T> => lookedAfter(deps, deviceId, call);
  return {
    leave: entered.leave,
    take: (request: Pick<DeviceTake, "limit" | "withoutRooms" | "order">) => {
      const now = clock.now();
      return safely(() => store.take({ ...key, ...request, holder, now, until: now + limits.pollLease }));
    },
    /** Call it when the answer was written. Texts that cannot be marked stay held until the lease ends: the device has them. */
    async deliver(ids: readonly number[]): Promise<readonly number[]> {
      try {
        const marked = await safely(() => store.deliver({ deviceId, holder, ids, ends: true }));
        entered.leave();
        if (isAwaited) freed(deviceId);
        return marked;
      } catch (cause) {
        clock.after(limits.pollLease, entered.leave);
        throw cause;
      }
    },
    /** Call it when the answer was not written. */
    async requeue(): Promise<void> {
      await safely(() => store.requeue({ deviceId, holder })).finally(entered.leave);
      freed(deviceId);
    },
  };
}

type PollBatch = ReturnType<typeof createPollBatch>;

/** Takes and holds the queued texts, as soon as there are some. */
async function takeUntil(deps: PollDeps, request: Asking, batch: PollBatch): Promise<Messages> {
  const { deviceId, limit } = request;
  const ask = async (): Promise<Messages> => {
    const taken = await batch.take({ limit, ...choiceOf(request) });
    if (taken.outcome === "held") return askAfter(deps, deviceId, { held: taken, ask });
    if (taken.outcome !== "taken") throw refusal(taken, deviceId);
    return taken.messages;
  };
  return askUntil(deps, request, ask);
}

interface Settled {
  readonly batch: PollBatch;
  readonly messages: Messages;
  readonly isWritten: boolean;
}

/** Marks texts that were written as delivered, and queues the others again. */
async function settle(
  { delivered }: PollDeps,
  { deviceId, owner }: DeviceKey,
  { batch, messages, isWritten }: Settled,
): Promise<void> {
  if (!isWritten) return batch.requeue();
  delivered({ deviceId, owner }, await batch.deliver(messages.map(({ id }) => id)));
}

/** Takes and holds the queued texts. They are delivered when the answer was written, and queued again when it was not. */
async function takePoll(deps: PollDeps, request: Asking, context: CallContext): Promise<Messages> {
  const { deviceId, owner } = request;
  const batch = createPollBatch(deps, { deviceId, owner });
  let messages: Messages = [];
  try {
    messages = await takeUntil(deps, request, batch);
  } finally {
    if (messages.length === 0) batch.leave();
  }
  if (messages.length === 0) return messages;
  try {
    request.assertToken();
  } catch (cause) {
    await batch.requeue();
    throw cause;
  }
  if (context.onWritten === undefined) await settle(deps, request, { batch, messages, isWritten: true });
  context.onWritten?.((isWritten) => {
    settle(deps, request, { batch, messages, isWritten }).catch((cause: unknown) =>
      deps.log.error("poll.settle_failed", { deviceId }, cause),
    );
  });
  return messages;
}

const aboveNewest = (ack: number, newest: number): TelexError =>
  new TelexError("invalid_request", { reason: "ack_above_newest", params: { ack, newest } });

/** Marks the texts that the device has, and returns the others, which stay queued. */
function ackPoll(deps: PollDeps, request: Asking, ack: PollAck): Promise<Messages> {
  const { deviceId, owner, limit } = request;
  const ask = async (): Promise<Messages> => {
    const query = { deviceId, owner, ...ack, limit, now: deps.clock.now(), ...choiceOf(request) };
    const shown = await deps.store.acknowledge(query);
    if (shown.outcome === "above_newest") throw aboveNewest(ack.upTo, shown.newest);
    if (shown.outcome === "held") return askAfter(deps, deviceId, { held: shown, ask });
    if (shown.outcome !== "acknowledged") throw refusal(shown, deviceId);
    deps.delivered({ deviceId, owner }, shown.marked);
    return shown.messages;
  };
  return askUntil(deps, request, ask);
}

/** Watches the token of a poll, until `detach` is called. */
function watchToken({ live }: PollDeps, { caller }: PollRequest, context: CallContext) {
  const gone = context.signal;
  const ended = new AbortController();
  const detach = live.attach({
    holder: caller,
    write() {},
    close: (reason) => reason === "token_ended" && ended.abort(),
  });
  return {
    signal: gone === undefined ? ended.signal : AbortSignal.any([gone, ended.signal]),
    assertToken: () => {
      if (ended.signal.aborted) throw new TelexError("invalid_token");
    },
    detach,
  };
}

/** Waits no longer than the token is valid. */
async function pollWatched(deps: PollDeps, request: PollRequest, context: CallContext): Promise<Messages> {
  const { signal, assertToken, detach } = watchToken(deps, request, context);
  const asking: Asking = { ...request, signal, assertToken };
  try {
    if (request.ack === undefined) return await takePoll(deps, asking, context);
    const messages = await ackPoll(deps, asking, request.ack);
    assertToken();
    return messages;
  } finally {
    detach();
  }
}

/**
 * The messages that wait for a device (interface 4.1 rule 2). A poll that waits ends with its token.
 * @throws TelexError `invalid_token` if the token ends while the poll waits: the poll takes no texts then
 */
export function poll(deps: PollDeps, request: PollRequest, context: CallContext): Promise<Messages> {
  if (request.wait > 0) return pollWatched(deps, request, context);
  // A transport creates the signal on demand: a poll that does not wait needs none.
  const asking: Asking = { ...request, signal: undefined, assertToken() {} };
  return request.ack === undefined ? takePoll(deps, asking, context) : ackPoll(deps, asking, request.ack);
}
