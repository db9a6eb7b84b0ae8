import type { Clock, Logger } from "@telex/core";
import { createOnce } from "@telex/core/transport";

/** Logs what implementations do wrong: each cause once a minute for each account, however often it comes. */
export interface BotFaults {
  tell(account: string, fault: string): void;
}

/** What implementations of all accounts do wrong. */
export function createBotFaults(clock: Clock, log: Logger): BotFaults {
  const isFirst = createOnce(clock);
  return {
    tell(account, fault) {
      if (isFirst(`${account} ${fault}`)) log.warn("onebot.fault", { account, fault });
    },
  };
}
