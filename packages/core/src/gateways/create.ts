import type { createFiles } from "../bucket/create.ts";
import type { CompleteOptions } from "../options/options.ts";
import type { Shared } from "../instance/shared.ts";
import type { Work } from "../instance/work.ts";
import { askForCheck, createCheckAnswers } from "./check.ts";
import { createGatewayFaults } from "./faults.ts";
import { createGatewayHolds } from "./holds.ts";
import { createGatewayLife } from "./lifecycle.ts";
import { createMediaFetches } from "./media.ts";
import { createBotKeeper } from "./keep.ts";
import { createBotsOperator } from "./operator.ts";
import { createNetworkMembers } from "./members.ts";
import { createNetworkRecalls } from "./recall.ts";
import { createGatewayReceive, type GatewayReceiveDeps } from "./receive.ts";
import { createGatewaySends } from "./send.ts";

interface GatewayParts {
  readonly work: Work;
  readonly receiveFile: ReturnType<typeof createFiles>["receive"];
}

/** The gateways of an instance. They receive from `start` on. */
export function createGateways(options: CompleteOptions, shared: Shared, { work, receiveFile }: GatewayParts) {
  const { storage, clock, zone, limits, log, unknownRooms } = options;
  const { closing } = work;
  const faults = createGatewayFaults(log, clock);
  const life = createGatewayLife(options.gateways, { clock, limits, faults });
  const going = { running: () => life.running(), store: storage.messages, clock, limits, faults };
  const sends = createGatewaySends({ ...going, ordered: shared.ordered, closing });
  const checking = { store: storage.leases, clock, holder: shared.leases.holder };
  const holds = createGatewayHolds(shared.leases, clock);
  const keeper = createBotKeeper(options.gateways, storage.bots, faults);
  return {
    sends,
    /** The stored accounts have changed, maybe by another process. */
    botsChanged: keeper.refresh,
    members: createNetworkMembers({ running: () => life.running(), faults, clock }),
    recall: createNetworkRecalls({ ...going, begin: () => work.begin() }),
    operator: createBotsOperator({
      gateways: options.gateways,
      store: storage.bots,
      leases: storage.leases,
      clock,
      zone,
      faults,
      check: (account) => askForCheck(checking, account),
      changed: keeper.refresh,
    }),
    /** A lease was taken: it may ask this server to try an account. */
    leaseChanged: createCheckAnswers({ ...checking, running: () => life.running(), faults, log }),
    async start({ publish, recall }: Pick<GatewayReceiveDeps, "publish" | "recall">): Promise<void> {
      await keeper.refresh();
      await life.start(
        createGatewayReceive({
          ...shared,
          store: storage.messages,
          groups: storage.groups,
          unknownRooms,
          openMedia: createMediaFetches({ receiveFile, clock, limits, faults, closing }),
          sends,
          clock,
          limits,
          work,
          faults,
          publish,
          recall,
        }),
        holds,
      );
    },
    close: (): Promise<void> => life.close(),
  };
}
