import type { Implementation } from "../contract/operation.ts";
import type { BotsContract, BotView } from "./contract.ts";
import type { GatewayFaults } from "./faults.ts";
import type { Gateway, GatewayAccount } from "./gateway.ts";

/** The accounts of a gateway as they are now. A gateway that fails has none. */
function accountsOf(gateway: Gateway, faults: GatewayFaults): readonly GatewayAccount[] {
  try {
    return gateway.listAccounts();
  } catch (cause) {
    faults.failed(gateway.name, "listAccounts", cause);
    return [];
  }
}

const view = (gateway: Gateway, { account, network, groupTypes, isConnected, isOnline }: GatewayAccount): BotView => ({
  gateway: gateway.name,
  account,
  network,
  groupTypes: [...groupTypes],
  connected: isConnected,
  online: isConnected && isOnline,
});

/** What the operator does with the accounts of external networks. */
export const createBotsOperator = (
  gateways: readonly Gateway[],
  faults: GatewayFaults,
): Implementation<BotsContract> => ({
  list: () =>
    Promise.resolve(
      gateways.flatMap((gateway) => accountsOf(gateway, faults).map((account) => view(gateway, account))),
    ),
});
