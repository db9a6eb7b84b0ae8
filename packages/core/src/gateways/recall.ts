import type { GroupRecord } from "../groups/store.ts";
import type { Limits } from "../options/limits.ts";
import type { Clock } from "../time/clock.ts";
import { inTime } from "./faults.ts";
import { findLine, type LineDeps } from "./lines.ts";

/** What recalling in networks needs. */
interface NetworkRecallDeps extends LineDeps {
  readonly clock: Clock;
  readonly limits: Pick<Limits, "gatewayAnswerTime">;
  /** Says that work is in progress; the returned function, that it is over. */
  readonly begin: () => () => void;
}

/** Asks the network to recall a message that was recalled here. Does not wait for it: what fails is logged. */
export type RecallInNetwork = (group: GroupRecord, messageId: string) => void;

/** Recalls messages in the networks of an instance. */
export function createNetworkRecalls(deps: NetworkRecallDeps): RecallInNetwork {
  const { clock, limits, faults, begin } = deps;
  return (group, messageId) => {
    const line = findLine(deps, group);
    if (line === null) return;
    const { gateway, account, room } = line;
    const refused = (code: string): void =>
      faults.refused("gateway.recall_failed", { gateway: gateway.name, account: account.account, code });
    const ask = async (): Promise<void> => {
      const isDone = await gateway.recall?.({ account: account.account, room, messageId });
      if (isDone !== true) refused("delivery_failed");
    };
    const end = begin();
    void inTime(clock, limits.gatewayAnswerTime, ask())
      .catch((cause: unknown) => faults.failed(gateway.name, "recall", cause))
      .finally(end);
  };
}
