import { TelexError } from "@telex/ground/errors";
import type { Clock } from "@telex/ground/time";
import { isOutboxId } from "../receive/network-ids.ts";
import type { ReactInNetwork, RecallInNetwork } from "../../networks/sending.ts";
import type { GroupRecord } from "../../records/groups.ts";
import type { NetworkMessageStore } from "../message-store.ts";
import type { GatewaysLimits } from "../limits.ts";
import { inTime } from "../faults.ts";
import type { GatewayRecall, ReactionOutcome } from "../../networks/gateway.ts";
import { findRoute, findServing, networkRoomOf, type RouteDeps } from "./routes.ts";
import type { Reaching } from "./reach.ts";

interface NetworkRecallDeps extends RouteDeps {
  readonly store: Pick<NetworkMessageStore, "listNetworkIds">;
  readonly clock: Clock;
  readonly limits: Pick<GatewaysLimits, "gatewayAnswerTime">;
  readonly reaching: Pick<Reaching, "gatewayOf">;
  readonly begin: () => () => void;
}

/** The message as each account that has it knows it. The room may send through another account by now. */
async function recallsOf(
  { store }: NetworkRecallDeps,
  group: GroupRecord,
  messageId: number,
): Promise<readonly GatewayRecall[]> {
  const room = networkRoomOf(group);
  if (room === null) return [];
  const ids = await store.listNetworkIds(group.groupId, messageId);
  const inNetwork = ids.filter((one) => !isOutboxId(one.messageId));
  const byAccount = Map.groupBy(inNetwork, ({ account }) => account);
  return Array.from(byAccount, ([account, own]) => ({
    account,
    room,
    messageIds: own.map((one) => one.messageId),
  }));
}

export function createNetworkRecalls(deps: NetworkRecallDeps): RecallInNetwork {
  const { clock, limits, faults, begin, reaching } = deps;
  const stays = (gateway: string, account: string, code: string): void =>
    faults.refused("gateway.recall_failed", { gateway, account, code });
  const ask = async (recall: GatewayRecall): Promise<void> => {
    const serving = findServing(deps, recall.account);
    if (serving === null) return stays("", recall.account, "not_found");
    const { gateway } = serving;
    const answer = async (): Promise<boolean | undefined> =>
      ((await reaching.gatewayOf(serving)) ?? gateway).recall?.(recall);
    try {
      const isDone = await inTime(clock, limits.gatewayAnswerTime, answer());
      if (isDone !== true) stays(gateway.name, recall.account, "delivery_failed");
    } catch (cause) {
      faults.failed(gateway.name, "recall", cause);
    }
  };
  const askAll = async (group: GroupRecord, messageId: number): Promise<void> => {
    const recalls = await recallsOf(deps, group, messageId);
    // A network may take a message without returning its id.
    if (recalls.length === 0) stays("", group.bot ?? "", "message_unknown");
    await Promise.all(recalls.map(ask));
  };
  return (group, messageId) => {
    const end = begin();
    void askAll(group, messageId)
      .catch((cause: unknown) => faults.failed("", "recall", cause))
      .finally(end);
  };
}

/** @throws TelexError unless the network has it so now */
function assertDone({ outcome, detail = "" }: ReactionOutcome): void {
  if (outcome === "unsupported") throw new TelexError("not_supported", { reason: "network_reaction" });
  if (outcome === "offline") throw new TelexError("bot_offline");
  if (outcome === "refused") throw new TelexError("delivery_failed", { reason: "bot_refused", params: { detail } });
  if (outcome === "unknown") throw new TelexError("delivery_unknown");
}

/** Reacts through the account of the room, which must know the message. */
export function createNetworkReactions(deps: NetworkRecallDeps): ReactInNetwork {
  const { clock, limits, faults, reaching } = deps;
  const outcomeOf = async (...[group, messageId, reaction]: Parameters<ReactInNetwork>): Promise<ReactionOutcome> => {
    const route = findRoute(deps, group);
    const gateway = route === null ? null : await reaching.gatewayOf(route);
    if (route === null || gateway === null) return { outcome: "offline" };
    const recalls = await recallsOf(deps, group, messageId);
    const own = recalls.find(({ account }) => account === route.account.account);
    if (own === undefined || gateway.react === undefined) return { outcome: "unsupported" };
    return inTime(clock, limits.gatewayAnswerTime, gateway.react({ ...own, ...reaction })).catch((cause: unknown) => {
      faults.failed(gateway.name, "react", cause);
      return { outcome: "unknown" };
    });
  };
  return async (...asked) => assertDone(await outcomeOf(...asked));
}
