import type { Clock } from "@telex/ground/time";
import { isOutboxId } from "../receive/network-ids.ts";
import type { RecallInNetwork } from "../../networks/sending.ts";
import type { GroupRecord } from "../../records/groups.ts";
import type { NetworkMessageStore } from "../message-store.ts";
import type { GatewaysLimits } from "../limits.ts";
import { inTime } from "../faults.ts";
import type { GatewayRecall } from "../../networks/gateway.ts";
import { findServing, networkRoomOf, type RouteDeps } from "./routes.ts";
import type { Reaching } from "./reach.ts";

interface NetworkRecallDeps extends RouteDeps {
  readonly store: Pick<NetworkMessageStore, "listNetworkIds">;
  readonly clock: Clock;
  readonly limits: Pick<GatewaysLimits, "gatewayAnswerTime">;
  readonly reaching: Pick<Reaching, "gatewayOf">;
  readonly begin: () => () => void;
}

/** The recalls for each account that knows the message. The room may send through another account by now. */
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
    // A network may take a message without telling its id.
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
