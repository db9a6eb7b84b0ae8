import { routeOf } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Clock } from "@telex/ground/time";
import type { GroupRecord } from "../../records/groups.ts";
import type { MessageRecord } from "../../records/messages.ts";
import type { SendKey } from "../../messages/outbox-store.ts";
import type { GatewaySends, OutgoingMessage } from "../../networks/sending.ts";
import type { BusLink } from "@telex/ground/bus";
import type { GatewaysBusEvents } from "../bus-events.ts";
import type { GatewaysLimits } from "../limits.ts";
import { findRoute, type RouteDeps } from "../accounts/routes.ts";
import type { NetworkMessageStore } from "../message-store.ts";
import type { Reaching } from "../accounts/reach.ts";
import { keepMessage } from "./kept.ts";
import { type Outcomes, waitingLife } from "./outcomes.ts";
import { createSendIds } from "./send-ids.ts";
import type { SendWorker } from "./worker.ts";

interface GatewaySendDeps extends RouteDeps {
  readonly store: Pick<NetworkMessageStore, "claimSend">;
  readonly clock: Clock;
  readonly limits: Pick<GatewaysLimits, "gatewayQueue" | "gatewayAnswerTime">;
  readonly bus: Pick<BusLink<GatewaysBusEvents>, "publish">;
  readonly reaching: Pick<Reaching, "find">;
  readonly worker: Pick<SendWorker, "wake">;
  readonly outcomes: Pick<Outcomes, "expect" | "follow" | "ended">;
  /** The holder of the leases of this server. */
  readonly self: string;
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
}

const fullOf = (account: string, max: number): TelexError =>
  new TelexError("queue_full", { reason: "account_queue_full", params: { max, account }, retryAfter: 5 });

/** The key of the message in the outbox, which may be the first one with its nonce; or the message that is stored already. */
async function claim(
  { clock, limits, store, ordered, self }: GatewaySendDeps,
  { group: { groupId }, userId, nonce, kept }: OutgoingMessage,
  key: SendKey,
): Promise<SendKey | MessageRecord> {
  const now = clock.now();
  const message = keepMessage({ ...kept, server: self });
  const row = { ...key, groupId, userId, message, at: now, until: now + waitingLife };
  const activeSince = now - limits.gatewayAnswerTime;
  const claimed = await ordered(store.claimSend({ ...row, nonce, limit: limits.gatewayQueue, activeSince }));
  if (claimed.outcome === "claimed") return key;
  if (claimed.outcome === "repeated") return claimed.message;
  if (claimed.outcome === "nonce_conflict") throw new TelexError("nonce_conflict");
  if (claimed.outcome === "full") throw fullOf(key.account, limits.gatewayQueue);
  return claimed.first;
}

type Reach = Awaited<ReturnType<Reaching["find"]>>;

export function createGatewaySends(deps: GatewaySendDeps): GatewaySends {
  const { bus, clock, reaching, worker, outcomes } = deps;
  const nextId = createSendIds(clock);

  const reachOf = async (group: GroupRecord): Promise<Reach> => {
    const route = findRoute(deps, group);
    return route === null ? null : reaching.find(route);
  };
  const wake = (reach: NonNullable<Reach>, account: string, groupId: number): void => {
    if (reach.at === "there") bus.publish({ kind: "send_wake", server: reach.server, account, groupId });
    else worker.wake({ account, groupId });
  };
  return {
    async deliver(outgoing) {
      const { group, nonce, origin, storedElsewhere } = outgoing;
      const reach = await reachOf(group);
      // A repeat is answered as before also while the account is offline.
      if (nonce === null && reach === null) throw new TelexError("bot_offline");
      const key = { account: findRoute(deps, group)?.account.account ?? group.bot ?? "", id: nextId() };
      const expected = outcomes.expect({ ...key, group, origin, storedElsewhere });
      const first = await claim(deps, outgoing, key).catch((cause: unknown) => {
        expected.forget();
        throw cause;
      });
      if ("id" in first && first.id === key.id) {
        const outcome = expected.outcome();
        if (reach === null) outcomes.ended(key.id, null);
        else wake(reach, key.account, group.groupId);
        return outcome;
      }
      expected.forget();
      return "content" in first ? first : outcomes.follow(first, group);
    },
    async stateOf(group) {
      const route = findRoute(deps, group);
      const named = routeOf(group.groupType) === "private" ? group.bot : null;
      return {
        account: route?.account.account ?? named,
        online: route !== null && (await reaching.find(route)) !== null,
      };
    },
  };
}
