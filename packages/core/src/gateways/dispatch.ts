import { networkIdOf } from "../networks/ids.ts";
import type { Dispatched } from "../networks/sending.ts";
import { createInTurn } from "../concurrency/in-turn.ts";
import { TelexError } from "../errors/errors.ts";
import type { NetworkMessageStore } from "./message-store.ts";
import type { MessageRecord } from "../records/messages.ts";
import type { SharedLimits } from "../contract/shared-limits.ts";
import { ask, type AskDeps } from "./ask.ts";
import type { GatewayOutcome } from "../networks/gateway.ts";
import { findOnline, type LineDeps } from "./lines.ts";
import { echoOf, sentIds } from "./network-ids.ts";

/** What giving messages to networks needs. */
interface DispatchDeps extends LineDeps, AskDeps {
  readonly store: Pick<NetworkMessageStore, "startSend" | "dropSend" | "cancelSend">;
  readonly limits: AskDeps["limits"] & Pick<SharedLimits, "nonceLife">;
}

/** A place in the outbox. */
export interface OutboxPlace {
  readonly account: string;
  readonly id: string;
}

/** Gives messages of the outbox to networks, on the server that has their accounts. */
export interface Dispatch {
  /**
   * Gives a message to the network and stores it: those of one room one at a time, in order. One that is on its way here already has one
   * outcome for everybody who asks for it.
   * @throws TelexError `bot_offline`, `delivery_failed`, `delivery_unknown`
   * @throws SendTaken if the message did not wait in the outbox any more
   */
  run(message: Dispatched, place: OutboxPlace): Promise<MessageRecord>;
  /** The outcome of a message that is on its way here, or null. */
  find(place: OutboxPlace): Promise<MessageRecord> | null;
  /** Resolves when what is being sent to a room now is stored or has failed. */
  settled(groupId: number): Promise<void>;
}

/** A message does not wait in the outbox any more: another server may have sent it. */
export class SendTaken extends Error {}

export const unknownOutcome = (): TelexError => new TelexError("delivery_unknown");
export const partlySent = (): TelexError => new TelexError("delivery_unknown", { reason: "bot_partly" });

type Sent = Extract<GatewayOutcome, { readonly outcome: "delivered" | "partly" | "unknown" }>;

/** @throws TelexError for an outcome with which the network has nothing */
function assertSent(outcome: GatewayOutcome): asserts outcome is Sent {
  if (outcome.outcome === "offline") throw new TelexError("bot_offline");
  if (outcome.outcome === "unsupported") throw new TelexError("delivery_failed", { reason: "bot_unsupported" });
  if (outcome.outcome === "refused") {
    throw new TelexError("delivery_failed", { reason: "bot_refused", params: { detail: outcome.detail } });
  }
}

/** Takes a message that the network does not have out of the outbox. False if it is not this server's to take out. */
async function takeOut({ store, faults }: DispatchDeps, place: OutboxPlace, isOurs: boolean): Promise<boolean> {
  try {
    if (!isOurs) return await store.cancelSend(place);
    await store.dropSend(place);
  } catch (failure) {
    faults.failed("outbox", "take out", failure);
  }
  return true;
}

/**
 * Asks the network, once.
 * @throws TelexError if the network does not have the message: then it is out of the outbox
 */
async function sendOnce(deps: DispatchDeps, { group, parts }: Dispatched, place: OutboxPlace): Promise<Sent> {
  const { store, clock, limits } = deps;
  let isStarted = false;
  const start = async (): Promise<boolean> => {
    const now = clock.now();
    isStarted = await store.startSend({ ...place, now, until: now + limits.nonceLife });
    return isStarted;
  };
  try {
    // It may have gone offline, or be another one, since this message was accepted.
    const line = findOnline(deps, group);
    if (line.account.account !== place.account) throw new TelexError("bot_offline");
    const outcome = await ask(deps, line, { parts, start });
    assertSent(outcome);
    return outcome;
  } catch (cause) {
    if (!(await takeOut(deps, place, isStarted))) throw new SendTaken("The message does not wait any more.", { cause });
    throw cause;
  }
}

/** Stores what the network has. */
async function storeSent(
  { faults }: DispatchDeps,
  sent: Exclude<Sent, { readonly outcome: "unknown" }>,
  { account, id }: OutboxPlace,
  { store, isEcho }: Dispatched & { readonly isEcho: (known: MessageRecord) => boolean },
): Promise<MessageRecord> {
  const { otherIds = [] } = sent;
  const messageId = networkIdOf(sent.messageId);
  const network = sentIds(account, [messageId, ...otherIds], id, isEcho);
  const parts = sent.outcome === "partly" ? sent.parts : null;
  try {
    return await store({ messageId, network, sent: { account, id, isPart: parts !== null }, parts });
  } catch (cause) {
    faults.failed("outbox", "store what was delivered", cause);
    throw new TelexError("delivery_unknown", { cause });
  }
}

/** Nothing is being sent. */
export function createDispatch(deps: DispatchDeps): Dispatch {
  const rooms = createInTurn();
  const running = new Map<string, Promise<MessageRecord>>();
  const sendAndStore = async (message: Dispatched, place: OutboxPlace): Promise<MessageRecord> => {
    const isEcho = echoOf(message.parts, deps.clock.now());
    const sent = await sendOnce(deps, message, place);
    if (sent.outcome === "unknown") throw unknownOutcome();
    const stored = await storeSent(deps, sent, place, { ...message, isEcho });
    if (sent.outcome === "partly") throw partlySent();
    return stored;
  };
  const begin = (message: Dispatched, place: OutboxPlace): Promise<MessageRecord> => {
    const outcome = rooms
      .run(String(message.group.groupId), () => sendAndStore(message, place))
      .finally(() => running.delete(place.id));
    running.set(place.id, outcome);
    return outcome;
  };
  return {
    run: (message, place) => running.get(place.id) ?? begin(message, place),
    find: ({ id }) => running.get(id) ?? null,
    settled: (groupId) => rooms.settled(String(groupId)),
  };
}
