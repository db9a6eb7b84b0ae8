import type { Clock } from "@telex/core";
import type { Account } from "../account/account.ts";
import type { BotFaults } from "../account/faults.ts";
import { keepSocket, type Kept } from "./keep-socket.ts";

/** What every implementation answers: a living one sends something. */
const question = JSON.stringify({ action: "get_status", params: {}, echo: "alive" });

/** Milliseconds at most before an attempt to connect again. */
const longestWait = 60_000;

/** What keeping a connection needs. */
interface ForwardDeps {
  readonly clock: Clock;
  readonly faults: BotFaults;
}

/** Connects to an implementation that waits for it: forward WebSocket. */
export function keepForward(account: Account, address: string, { clock, faults }: ForwardDeps): Kept {
  const { token, protocol = null, account: name } = account.options;
  return keepSocket({
    clock,
    address,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    longestWait,
    question,
    opened: (link) => account.connect(link, "universal", protocol),
    failed: () => faults.tell(name, "no connection to the implementation"),
  });
}
