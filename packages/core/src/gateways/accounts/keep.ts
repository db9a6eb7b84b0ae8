import { createInTurn } from "../../concurrency/in-turn.ts";
import { type GatewayFaults, returnOf } from "../faults.ts";
import type { Gateway } from "../../networks/gateway.ts";
import type { BotStore } from "../store.ts";

interface BotKeeper {
  /** Resolves when the gateways have the accounts as they are stored now. */
  readonly refresh: () => Promise<void>;
}

export function createBotKeeper(
  gateways: readonly Gateway[],
  store: Pick<BotStore, "listBots">,
  faults: GatewayFaults,
): BotKeeper {
  const keepers = gateways.filter((gateway) => gateway.keepAccounts !== undefined);
  const turns = createInTurn();
  const refresh = async (): Promise<void> => {
    const bots = await store.listBots();
    for (const gateway of keepers) {
      const own = bots.filter((bot) => bot.gateway === gateway.name);
      returnOf(faults, gateway.name, "keepAccounts", () => gateway.keepAccounts?.(own), undefined);
    }
  };
  // In turn: an earlier reading must not replace a later one.
  return { refresh: () => (keepers.length === 0 ? Promise.resolve() : turns.run("", refresh)) };
}
