import { randomUUID } from "node:crypto";
import { createInTurn } from "../concurrency/in-turn.ts";
import { TelexError } from "../errors/errors.ts";
import type { GroupRecord } from "../groups/store.ts";
import type { MessageAppend, MessageAppended, MessageStore, NetworkIds } from "../messages/store.ts";
import type { Limits } from "../options/limits.ts";
import { ask, type AskDeps } from "./ask.ts";
import type { GatewayOutcome, GatewayPart } from "./gateway.ts";
import { createJoins } from "./joins.ts";
import { type AccountState, findLine, findOnline, isOnline, type LineDeps, stateOf } from "./lines.ts";

/** What sending through gateways needs. */
interface GatewaySendDeps extends LineDeps, AskDeps {
  readonly store: Pick<MessageStore, "claimSend" | "startSend" | "dropSend">;
  readonly limits: AskDeps["limits"] & Pick<Limits, "gatewayQueue" | "gatewayQueueTime" | "nonceLife">;
  /** Settles in the order of the calls. */
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
}

/** What a network has taken. */
export interface Delivered {
  /** The message's id in the network, or null. */
  readonly messageId: string | null;
  /** All its ids there; null for a message that no network has. */
  readonly network: NetworkIds | null;
  readonly sent: MessageAppend["sent"];
  /** The parts that the network has; null for all of them. */
  readonly parts: readonly GatewayPart[] | null;
}

type Stored = Extract<MessageAppended, { readonly outcome: "appended" | "repeated" }>;

/** A message for a room of an external network. */
interface Outgoing {
  readonly group: GroupRecord;
  /** The sender, in decimal digits. */
  readonly userId: string;
  readonly parts: readonly GatewayPart[];
  readonly nonce: MessageAppend["nonce"];
  /** What the outbox keeps of it: see {@link keepMessage}. */
  readonly kept: string;
  /** Stores what was delivered. */
  readonly store: (delivered: Delivered) => Promise<Stored>;
}

/** Sends to rooms of external networks. */
export interface GatewaySends {
  /**
   * Sends a message and stores it. Messages to one room are sent and stored one at a time, in order. A repeat with the same nonce
   * never asks the network again.
   * @throws TelexError `nonce_conflict`, `bot_offline`, `queue_full`, `delivery_failed`, `delivery_unknown`
   */
  deliver(outgoing: Outgoing): Promise<Stored>;
  /** The account through which a room sends, and whether it could now. */
  stateOf(group: GroupRecord): AccountState;
  /** Resolves when what is being sent to a room now is stored or has failed. */
  settled(groupId: number): Promise<void>;
}

/** A place in the outbox. */
interface OutboxPlace {
  readonly account: string;
  readonly id: string;
}

const ownPrefix = "telex:";
/** By what an account knows a message of the outbox to which the network has given no id. */
export const outboxId = (id: string): string => `${ownPrefix}${id}`;
/** True for an id that the network does not know. */
export const isOutboxId = (messageId: string): boolean => messageId.startsWith(ownPrefix);

const unknown = (): TelexError => new TelexError("delivery_unknown");
const partly = (): TelexError => new TelexError("delivery_unknown", { reason: "bot_partly" });

const fullOf = (account: string, max: number): TelexError =>
  new TelexError("queue_full", { reason: "account_queue_full", params: { max, account }, retryAfter: 5 });

/** A place in the outbox, or the message that is stored already. */
async function claim(
  { clock, limits, store, ordered }: GatewaySendDeps,
  { group: { groupId }, userId, nonce, kept }: Outgoing,
  account: string,
): Promise<OutboxPlace | Stored> {
  const now = clock.now();
  const place = { account, id: randomUUID() };
  const until = now + limits.gatewayQueueTime;
  const row = { ...place, groupId, userId, message: kept, at: now, until };
  const activeSince = now - limits.gatewayAnswerTime;
  const claimed = await ordered(store.claimSend({ ...row, nonce, limit: limits.gatewayQueue, activeSince }));
  switch (claimed.outcome) {
    case "claimed":
      return place;
    case "repeated":
      return { outcome: "repeated", message: claimed.message };
    case "nonce_conflict":
      throw new TelexError("nonce_conflict");
    case "started":
      throw unknown();
    case "partly":
      throw partly();
    case "full":
      throw fullOf(account, limits.gatewayQueue);
  }
}

type Sent = Extract<GatewayOutcome, { readonly outcome: "delivered" | "partly" | "unknown" }>;

/** @throws TelexError for an outcome with which the network has nothing */
function assertSent(outcome: GatewayOutcome): asserts outcome is Sent {
  if (outcome.outcome === "offline") throw new TelexError("bot_offline");
  if (outcome.outcome === "unsupported") throw new TelexError("delivery_failed", { reason: "bot_unsupported" });
  if (outcome.outcome === "refused") {
    throw new TelexError("delivery_failed", { reason: "bot_refused", params: { detail: outcome.detail } });
  }
}

/**
 * Asks the network, once.
 * @throws TelexError if the network does not have the message: then it is out of the outbox
 */
async function sendOnce(deps: GatewaySendDeps, { group, parts }: Outgoing, place: OutboxPlace): Promise<Sent> {
  const { store, clock, limits, faults } = deps;
  const start = (): Promise<boolean> => {
    const now = clock.now();
    return store.startSend({ ...place, now, until: now + limits.nonceLife });
  };
  try {
    // It may have gone offline, or be another one, since this message was accepted.
    const line = findOnline(deps, group);
    if (line.account.account !== place.account) throw new TelexError("bot_offline");
    const outcome = await ask(deps, line, { parts, start });
    assertSent(outcome);
    return outcome;
  } catch (cause) {
    await store.dropSend(place).catch((failure: unknown) => faults.failed("outbox", "dropSend", failure));
    throw cause;
  }
}

/** Stores what the network has. */
async function storeSent(
  { faults }: GatewaySendDeps,
  sent: Exclude<Sent, { readonly outcome: "unknown" }>,
  { account, id }: OutboxPlace,
  { store }: Outgoing,
): Promise<Stored> {
  const { messageId, otherIds = [] } = sent;
  const ids = [...(messageId === null ? [] : [messageId]), ...otherIds];
  const network = { account, messageIds: ids.length === 0 ? [outboxId(id)] : ids };
  const parts = sent.outcome === "partly" ? sent.parts : null;
  try {
    return await store({ messageId, network, sent: { account, id, isPart: parts !== null }, parts });
  } catch (cause) {
    faults.failed("outbox", "store what was delivered", cause);
    throw new TelexError("delivery_unknown", { cause });
  }
}

/** The sending side of the gateways of an instance. */
export function createGatewaySends(deps: GatewaySendDeps): GatewaySends {
  const rooms = createInTurn();
  const joins = createJoins<Stored>();

  const sendAndStore = async (outgoing: Outgoing, place: OutboxPlace): Promise<Stored> => {
    const sent = await sendOnce(deps, outgoing, place);
    if (sent.outcome === "unknown") throw unknown();
    const stored = await storeSent(deps, sent, place, outgoing);
    if (sent.outcome === "partly") throw partly();
    return stored;
  };
  const deliver = async (outgoing: Outgoing): Promise<Stored> => {
    const { group, nonce } = outgoing;
    const line = findLine(deps, group);
    if (nonce === null && (line === null || !isOnline(line))) throw new TelexError("bot_offline");
    // A repeat is answered as before also while the account is offline.
    const claimed = await claim(deps, outgoing, line?.account.account ?? group.bot ?? "");
    if ("message" in claimed) return claimed;
    return rooms.run(String(group.groupId), () => sendAndStore(outgoing, claimed));
  };

  return {
    async deliver(outgoing) {
      const { group, userId, nonce } = outgoing;
      if (nonce === null) return deliver(outgoing);
      const key = JSON.stringify([group.groupId, userId, nonce.value]);
      const first = joins.find(key);
      if (first === null) return joins.add(key, nonce.fingerprint, deliver(outgoing));
      if (first.fingerprint !== nonce.fingerprint) throw new TelexError("nonce_conflict");
      return { outcome: "repeated", message: (await first.result).message };
    },
    stateOf: (group) => stateOf(deps, group),
    settled: (groupId) => rooms.settled(String(groupId)),
  };
}
