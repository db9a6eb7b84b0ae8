import type { GatewaySends, OutgoingMessage } from "../networks/sending.ts";
import { randomUUID } from "node:crypto";
import { createInTurn } from "../concurrency/in-turn.ts";
import { TelexError } from "../errors/errors.ts";
import type { GroupRecord } from "../records/groups.ts";
import type { NetworkMessageStore } from "./message-store.ts";
import type { MessageRecord } from "../records/messages.ts";
import type { GatewaysLimits } from "./limits.ts";
import type { Clock } from "../time/clock.ts";
import { type Dispatch, type OutboxPlace, partlySent, SendTaken } from "./dispatch.ts";
import type { AcceptedSend } from "./accepted.ts";
import { createJoins } from "./joins.ts";
import { keepMessage } from "./kept.ts";
import { findLine, type LineDeps, stateOf } from "./lines.ts";
import type { Reaching } from "./reach.ts";
import type { SendThere } from "./send-there.ts";

/** What sending through gateways needs. */
interface GatewaySendDeps extends LineDeps {
  readonly store: Pick<NetworkMessageStore, "claimSend">;
  readonly clock: Clock;
  readonly limits: Pick<GatewaysLimits, "gatewayQueue" | "gatewayQueueTime" | "gatewayAnswerTime">;
  readonly reaching: Pick<Reaching, "find">;
  readonly dispatch: Pick<Dispatch, "run">;
  readonly sendThere: SendThere;
  /** See {@link createSendFollow}. */
  readonly follow: SendThere;
  /** See {@link AcceptedSends}. */
  readonly accepted: Map<string, AcceptedSend>;
  /** The holder of the leases of this server. */
  readonly self: string;
  /** Settles in the order of the calls. */
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
}

const fullOf = (account: string, max: number): TelexError =>
  new TelexError("queue_full", { reason: "account_queue_full", params: { max, account }, retryAfter: 5 });

/** Where the message is in the outbox, which may be the place of the first one with its nonce; or the message that is stored already. */
async function claim(
  { clock, limits, store, ordered, self }: GatewaySendDeps,
  { group: { groupId }, userId, nonce, kept }: OutgoingMessage,
  place: OutboxPlace,
): Promise<OutboxPlace | MessageRecord> {
  const now = clock.now();
  const until = now + limits.gatewayQueueTime;
  const row = { ...place, groupId, userId, message: keepMessage({ ...kept, server: self }), at: now, until };
  const activeSince = now - limits.gatewayAnswerTime;
  const claimed = await ordered(store.claimSend({ ...row, nonce, limit: limits.gatewayQueue, activeSince }));
  switch (claimed.outcome) {
    case "claimed":
      return place;
    case "repeated":
      return claimed.message;
    case "nonce_conflict":
      throw new TelexError("nonce_conflict");
    case "waiting":
    case "started":
      return claimed.first;
    case "partly":
      throw partlySent();
    case "full":
      throw fullOf(place.account, limits.gatewayQueue);
  }
}

/** Sends on this server. Null if the message does not wait any more. */
async function sendHere(
  { dispatch }: GatewaySendDeps,
  outgoing: OutgoingMessage,
  place: OutboxPlace,
): Promise<MessageRecord | null> {
  try {
    return await dispatch.run(outgoing, place);
  } catch (cause) {
    if (!(cause instanceof SendTaken)) throw cause;
    return null;
  }
}

/** The sending side of the gateways of an instance. */
export function createGatewaySends(deps: GatewaySendDeps): GatewaySends {
  const { reaching, sendThere, follow, accepted } = deps;
  const rooms = createInTurn();
  const joins = createJoins<MessageRecord>();

  const reach = (group: GroupRecord) => {
    const line = findLine(deps, group);
    return line === null ? null : reaching.find(line);
  };
  const send = async (outgoing: OutgoingMessage, place: OutboxPlace): Promise<MessageRecord> => {
    const { group } = outgoing;
    const isThere = (await reach(group))?.at === "there";
    const here = isThere ? null : await sendHere(deps, outgoing, place);
    if (here !== null) return here;
    const there = await sendThere(group, place);
    outgoing.storedElsewhere(there);
    return there;
  };
  const deliverTo = async (outgoing: OutgoingMessage, place: OutboxPlace): Promise<MessageRecord> => {
    const { group } = outgoing;
    const claimed = await claim(deps, outgoing, place);
    if ("content" in claimed) return claimed;
    if (claimed.id !== place.id) return follow(group, claimed);
    return rooms.run(String(group.groupId), () => send(outgoing, place));
  };
  const deliver = async (outgoing: OutgoingMessage): Promise<MessageRecord> => {
    const { group, nonce, origin } = outgoing;
    const account = findLine(deps, group)?.account.account ?? group.bot ?? "";
    const isOffline = (await reach(group)) === null;
    if (nonce === null && isOffline) throw new TelexError("bot_offline");
    // A repeat is answered as before also while the account is offline.
    const id = randomUUID();
    const outcome = deliverTo(outgoing, { account, id }).finally(() => accepted.delete(id));
    accepted.set(id, { origin, outcome });
    return outcome;
  };

  return {
    async deliver(outgoing) {
      const { group, userId, nonce } = outgoing;
      if (nonce === null) return deliver(outgoing);
      const key = JSON.stringify([group.groupId, userId, nonce.value]);
      const first = joins.find(key);
      if (first === null) return joins.add(key, nonce.fingerprint, deliver(outgoing));
      if (first.fingerprint !== nonce.fingerprint) throw new TelexError("nonce_conflict");
      return first.result;
    },
    stateOf: (group) => stateOf(deps, group, async (line) => (await reaching.find(line)) !== null),
  };
}
