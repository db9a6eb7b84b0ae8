import type { Clock } from "@telex/core";
import type { Account } from "../account/account.ts";
import type { BotFaults } from "../link/faults.ts";
import type { Standing } from "../account/standing.ts";
import type { Incoming } from "../link/incoming.ts";
import { keepSocket, type Kept } from "../link/keep-socket.ts";

/** Maximum milliseconds before an attempt to reconnect. */
const longestWait = 60_000;

interface ForwardDeps {
  readonly clock: Clock;
  readonly faults: BotFaults;
  readonly standing: Pick<Standing, "failed">;
  readonly incoming: Incoming;
}

/** Connects to an implementation that waits for it: forward WebSocket. */
export function keepForward(account: Account, address: string, deps: ForwardDeps): Kept {
  const { token, protocol = null, account: name } = account.options;
  return keepSocket({
    clock: deps.clock,
    address,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    longestWait,
    incoming: deps.incoming,
    fault: (cause) => deps.faults.tell(name, cause),
    opened: (link) => account.connect(link, "universal", protocol),
    failed({ code, text }) {
      deps.faults.tell(name, "unreachable", text);
      deps.standing.failed(code, text);
    },
  });
}
