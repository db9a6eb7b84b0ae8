import type { Incoming } from "../link/incoming.ts";
import type { Budget } from "../link/budget.ts";
import type { FetchMedia } from "./media.ts";
import type { BotFaults } from "../link/faults.ts";
import type { Clock, GatewayLeases, GatewayInbox } from "@telex/core";
export interface AccountDeps {
  readonly clock: Clock;
  readonly faults: BotFaults;
  /** Null before the start and after the end. */
  readonly inbox: () => GatewayInbox | null;
  readonly fetchMedia: FetchMedia;
  /** Messages of all accounts that wait to be stored. */
  readonly waiting: Budget;
  readonly incoming: Incoming;
  /** Null before the start. */
  readonly leases: () => GatewayLeases | null;
}
