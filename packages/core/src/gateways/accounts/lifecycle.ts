import type { Clock } from "@telex/ground/time";
import type { GatewaysLimits } from "../limits.ts";
import { type GatewayFaults, inTime } from "../faults.ts";
import type { Gateway, GatewayInbox } from "../../networks/gateway.ts";
import type { GatewayLeases } from "../../networks/leases.ts";

interface GatewayLifeDeps {
  readonly clock: Clock;
  readonly limits: Pick<GatewaysLimits, "gatewayStartTime" | "gatewayCloseTime">;
  readonly faults: GatewayFaults;
}

interface GatewayLife {
  /** The started gateways, in the given order. The accounts of the others count as offline. */
  running(): readonly Gateway[];
  /** Starts all of them simultaneously, in bounded time. One that fails or is late is logged; a late one runs when it is ready. */
  start(inboxOf: (gateway: Gateway) => GatewayInbox, leases: GatewayLeases): Promise<void>;
  /** Closes all of them simultaneously, in bounded time. */
  close(): Promise<void>;
}

/** @param gateways in the order in which they are asked for accounts */
export function createGatewayLife(gateways: readonly Gateway[], deps: GatewayLifeDeps): GatewayLife {
  const { clock, limits, faults } = deps;
  const running = new Set<Gateway>();
  let isClosed = false;
  const started = async (gateway: Gateway, inbox: GatewayInbox, leases: GatewayLeases): Promise<void> => {
    await gateway.start(inbox, leases);
    if (!isClosed) running.add(gateway);
  };
  const forEach = async (step: string, wait: number, run: (gateway: Gateway) => Promise<void>): Promise<void> => {
    const one = async (gateway: Gateway): Promise<void> => {
      const done = run(gateway);
      done.catch((cause: unknown) => faults.failed(gateway.name, step, cause));
      await inTime(clock, wait, done).catch((cause: unknown) => faults.failed(gateway.name, step, cause));
    };
    await Promise.all(gateways.map(one));
  };
  return {
    running: () => gateways.filter((gateway) => running.has(gateway)),
    start: (inboxOf, leases) =>
      forEach("start", limits.gatewayStartTime, (gateway) => started(gateway, inboxOf(gateway), leases)),
    async close() {
      isClosed = true;
      running.clear();
      await forEach("close", limits.gatewayCloseTime, async (gateway) => gateway.close());
    },
  };
}
