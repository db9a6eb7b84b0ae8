import type { AccountState } from "../../networks/sending.ts";
import { TelexError } from "../../errors/errors.ts";
import { routeOf } from "../../contract/group-type.ts";
import type { GroupRecord } from "../../records/groups.ts";
import type { GatewayFaults } from "../faults.ts";
import type { Gateway, GatewayAccount, NetworkRoom } from "../../networks/gateway.ts";

export interface LineDeps {
  /** Those that have been started, in the order in which they are asked. */
  readonly running: () => readonly Gateway[];
  readonly faults: GatewayFaults;
}

/** An account, with the gateway that serves it. */
export interface Account {
  readonly gateway: Gateway;
  readonly account: GatewayAccount;
}

/** The account of a gateway through which a room sends. */
export interface Line extends Account {
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

/** The account of a room, online or not; null if no gateway has it. */
export function findLine({ running, faults }: LineDeps, group: GroupRecord): Line | null {
  const name = routeOf(group.groupType) === "official" ? null : group.bot;
  const room = networkRoomOf(group);
  if (room === null || (name === null && routeOf(group.groupType) === "private")) return null;
  for (const gateway of running()) {
    const account = findAccount(gateway, name, faults);
    if (account?.groupTypes.includes(group.groupType) === true) return { gateway, account, room };
  }
  return null;
}

/** True if messages can be sent now. */
export const isOnline = ({ account }: Account): boolean => account.isConnected && account.isOnline;

/** @throws TelexError `bot_offline` */
export function findOnline(deps: LineDeps, group: GroupRecord): Line {
  const line = findLine(deps, group);
  if (line === null || !isOnline(line)) throw new TelexError("bot_offline");
  return line;
}

/**
 * The account through which a room sends, as its members see it.
 * @param isOnlineThere whether the account of a line is online, on whichever server it is
 */
export async function stateOf(
  deps: LineDeps,
  group: GroupRecord,
  isOnlineThere: (line: Line) => Promise<boolean>,
): Promise<AccountState> {
  const line = findLine(deps, group);
  const named = routeOf(group.groupType) === "private" ? group.bot : null;
  return { account: line?.account.account ?? named, online: line !== null && (await isOnlineThere(line)) };
}
