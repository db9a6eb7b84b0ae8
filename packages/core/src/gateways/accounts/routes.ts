import { routeOf } from "@telex/ground/contract";
import type { GroupRecord } from "../../records/groups.ts";
import type { GatewayFaults } from "../faults.ts";
import type { Gateway, GatewayAccount, NetworkRoom } from "../../networks/gateway.ts";

export interface RouteDeps {
  /** The started gateways, in the order in which they are asked. */
  readonly running: () => readonly Gateway[];
  readonly faults: GatewayFaults;
}

export interface Account {
  readonly gateway: Gateway;
  readonly account: GatewayAccount;
}

export interface Route extends Account {
  readonly room: NetworkRoom;
}

/** The room of the network for which a chat room stands; null for one that stands for none. */
export const networkRoomOf = ({ groupType, ext }: GroupRecord): NetworkRoom | null =>
  ext === null ? null : { kind: groupType === 0 || groupType === 4 ? "group" : "private", ext };

/** An account of a gateway as it is now, or null. A gateway that fails has none. */
export function findAccount(gateway: Gateway, account: string | null, faults: GatewayFaults): GatewayAccount | null {
  try {
    return gateway.findAccount(account) ?? null;
  } catch (cause) {
    faults.failed(gateway.name, "findAccount", cause);
    return null;
  }
}

/** The account with a name, and the gateway that serves it; null if none does. */
export function findServing({ running, faults }: RouteDeps, name: string): Account | null {
  for (const gateway of running()) {
    const account = findAccount(gateway, name, faults);
    if (account !== null) return { gateway, account };
  }
  return null;
}

/** The account of a room, online or not; null if no gateway has it. */
export function findRoute({ running, faults }: RouteDeps, group: GroupRecord): Route | null {
  const name = routeOf(group.groupType) === "official" ? null : group.bot;
  const room = networkRoomOf(group);
  if (room === null || (name === null && routeOf(group.groupType) === "private")) return null;
  for (const gateway of running()) {
    const account = findAccount(gateway, name, faults);
    if (account?.groupTypes.includes(group.groupType) === true) return { gateway, account, room };
  }
  return null;
}

export const isOnline = ({ account }: Account): boolean => account.isConnected && account.isOnline;
