import { createDraining, type Draining } from "../server/draining.ts";
import { createRemoteDrains, type RemoteDrains } from "../server/remote-drains.ts";
import type { CompleteOptions } from "./options.ts";
import type { Shared } from "./shared.ts";

export function createDrains(
  { clock, log, serverName }: CompleteOptions,
  { live, bus, leases }: Shared,
  gateways: { readonly drain: () => Promise<void> },
): { readonly draining: Draining; readonly drains: RemoteDrains } {
  const handOver = async (): Promise<void> => {
    if (!bus.hasPeers) return;
    // First: an account must not go to another server while this one sends through it.
    await gateways.drain();
    await leases.drain();
  };
  const draining = createDraining({ clock, log, live, handOver });
  return { draining, drains: createRemoteDrains({ draining, bus, clock, server: serverName, self: leases.holder }) };
}
