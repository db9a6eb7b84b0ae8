import { createInTurn } from "@telex/ground/concurrency";
import { type GatewayFaults, returnOf } from "../faults.ts";
import type { Gateway } from "../../networks/gateway.ts";
import type { BotRecord } from "../../records/gateways.ts";
import type { BotStore } from "../store.ts";

/** Gives a gateway the accounts that it serves. */
function giveAccounts(gateway: Gateway, bots: readonly BotRecord[], faults: GatewayFaults): void {
  const own = bots.filter((bot) => bot.gateway === gateway.name);
  returnOf(faults, gateway.name, "keepAccounts", () => gateway.keepAccounts?.(own), undefined);
}

/**
 * Gives gateways the stored accounts that they serve, at each call of the returned function. It resolves when the gateways have the accounts as
 * they are stored now.
 */
export function createBotKeeper(
  gateways: readonly Gateway[],
  store: Pick<BotStore, "listBots">,
  faults: GatewayFaults,
): () => Promise<void> {
  const keepers = gateways.filter((gateway) => gateway.keepAccounts !== undefined);
  const turns = createInTurn();
  const refresh = async (): Promise<void> => {
    const bots = await store.listBots();
    for (const gateway of keepers) giveAccounts(gateway, bots, faults);
  };
  // In turn: an earlier reading must not replace a later one.
  return () => (keepers.length === 0 ? Promise.resolve() : turns.run("", refresh));
}
