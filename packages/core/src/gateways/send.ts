import { z } from "zod";
import { TelexError } from "../errors/errors.ts";
import { routeOf } from "../groups/group-type.ts";
import type { GroupRecord } from "../groups/store.ts";
import { createInTurn } from "../concurrency/in-turn.ts";
import type { Limits } from "../options/limits.ts";
import type { NetworkIds } from "../messages/store.ts";
import type { Clock } from "../time/clock.ts";
import type { GatewayFaults } from "./faults.ts";
import type { Gateway, GatewayAccount, GatewayOutcome, GatewayPart, NetworkRoom } from "./gateway.ts";
import { createPlaces } from "./places.ts";

/** What sending through gateways needs. */
interface GatewaySendDeps {
  /** Those that have been started, in the order in which they are asked. */
  readonly running: () => readonly Gateway[];
  readonly clock: Clock;
  readonly limits: Pick<Limits, "gatewayAnswerTime" | "gatewayWait" | "gatewayQueue">;
  readonly faults: GatewayFaults;
  /** Aborted when the instance closes. */
  readonly closing: AbortSignal;
}

/** What a network has taken. */
export interface Delivered {
  /** The message's id in the network, or null. */
  readonly messageId: string | null;
  /** All its ids there; null if there are none. */
  readonly network: NetworkIds | null;
}

/** An account of an external network as the members of a room see it. */
interface AccountState {
  /** Its name; null if no account is the official one. */
  readonly account: string | null;
  /** True if messages can be sent now. */
  readonly online: boolean;
}

/** Sends to rooms of external networks. */
export interface GatewaySends {
  /**
   * Sends a message and stores it. Messages to one room are sent and stored one at a time, in order.
   * @param store stores what was delivered
   * @throws TelexError `bot_offline`, `queue_full`, `delivery_failed`, `delivery_unknown`
   */
  deliver<T>(
    group: GroupRecord,
    parts: readonly GatewayPart[],
    store: (delivered: Delivered) => Promise<T>,
  ): Promise<T>;
  /** The account through which a room sends, and whether it could now. */
  stateOf(group: GroupRecord): AccountState;
  /** Resolves when what is being sent to a room now is stored or has failed. */
  settled(groupId: number): Promise<void>;
}

/** The room of the network for which a chat room stands; null for one that stands for none. */
const networkRoomOf = ({ groupType, ext }: GroupRecord): NetworkRoom | null =>
  ext === null ? null : { kind: groupType === 0 || groupType === 4 ? "group" : "private", ext };

/** An account of a gateway. */
interface Line {
  readonly gateway: Gateway;
  readonly account: GatewayAccount;
  readonly room: NetworkRoom;
}

/** An account of a gateway as it is now, or null. A gateway that fails has none. */
export function findAccount(gateway: Gateway, account: string | null, faults: GatewayFaults): GatewayAccount | null {
  try {
    return gateway.findAccount(account) ?? null;
  } catch (cause) {
    faults.failed(gateway.name, "findAccount", cause);
    return null;
  }
}

function findLine({ running, faults }: GatewaySendDeps, group: GroupRecord): Line | null {
  const name = routeOf(group.groupType) === "official" ? null : group.bot;
  const room = networkRoomOf(group);
  if (room === null || (name === null && routeOf(group.groupType) === "private")) return null;
  for (const gateway of running()) {
    const account = findAccount(gateway, name, faults);
    if (account?.groupTypes.includes(group.groupType) === true) return { gateway, account, room };
  }
  return null;
}

const isOnline = ({ account }: Line): boolean => account.isConnected && account.isOnline;

function findOnline(deps: GatewaySendDeps, group: GroupRecord): Line {
  const line = findLine(deps, group);
  if (line === null || !isOnline(line)) throw new TelexError("bot_offline");
  return line;
}

function stateOf(deps: GatewaySendDeps, group: GroupRecord): AccountState {
  const line = findLine(deps, group);
  const named = routeOf(group.groupType) === "private" ? group.bot : null;
  return { account: line?.account.account ?? named, online: line !== null && isOnline(line) };
}

const outcomes = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("delivered"),
    messageId: z.string().min(1).nullable(),
    otherIds: z.array(z.string().min(1)).max(100).optional(),
  }),
  z.object({ outcome: z.literal("refused"), detail: z.string().transform((detail) => detail.slice(0, 200)) }),
  z.object({ outcome: z.literal(["offline", "unsupported", "unknown"]) }),
]);

/**
 * Gives a message to a gateway. Answers in bounded time, whatever the gateway does: before `begin` nothing was sent, after it
 * nobody knows.
 */
async function ask(deps: GatewaySendDeps, { gateway, account, room }: Line, parts: readonly GatewayPart[]) {
  const { clock, limits, faults, closing } = deps;
  const controller = new AbortController();
  const givenUp = Promise.withResolvers<GatewayOutcome>();
  let begun = false;
  const lost = (): GatewayOutcome => ({ outcome: begun ? "unknown" : "offline" });
  const giveUp = (): void => {
    controller.abort();
    givenUp.resolve(lost());
  };
  const late = (): void => {
    faults.failed(gateway.name, begun ? "answer too late" : "begin too late");
    giveUp();
  };
  const stop = (): void => {
    if (!begun) giveUp();
  };
  let cancel = clock.after(limits.gatewayWait, late);
  const begin = (): void => {
    if (controller.signal.aborted) throw new TelexError("bot_offline");
    if (begun) return;
    begun = true;
    cancel();
    cancel = clock.after(limits.gatewayAnswerTime, late);
  };
  closing.addEventListener("abort", stop);
  try {
    const sending = (async () =>
      gateway.send({ account: account.account, room, parts, begin, signal: controller.signal }))();
    const outcome: unknown = await Promise.race([sending, givenUp.promise]);
    return outcomes.parse(outcome);
  } catch (cause) {
    faults.failed(gateway.name, "send", cause);
    return lost();
  } finally {
    cancel();
    closing.removeEventListener("abort", stop);
  }
}

function failure(outcome: Exclude<GatewayOutcome, { readonly outcome: "delivered" }>): TelexError {
  switch (outcome.outcome) {
    case "offline":
      return new TelexError("bot_offline");
    case "unsupported":
      return new TelexError("delivery_failed", { reason: "bot_unsupported" });
    case "refused":
      return new TelexError("delivery_failed", { reason: "bot_refused", params: { detail: outcome.detail } });
    case "unknown":
      return new TelexError("delivery_unknown");
  }
}

/** The sending side of the gateways of an instance. */
export function createGatewaySends(deps: GatewaySendDeps): GatewaySends {
  const rooms = createInTurn();
  const places = createPlaces(deps.limits.gatewayQueue);

  const sendAndStore = async <T>(
    group: GroupRecord,
    parts: readonly GatewayPart[],
    store: (delivered: Delivered) => Promise<T>,
  ): Promise<T> => {
    // It may have gone offline while others were sent.
    const line = findOnline(deps, group);
    const sent = await ask(deps, line, parts);
    if (sent.outcome !== "delivered") throw failure(sent);
    const { messageId } = sent;
    const messageIds = [...(messageId === null ? [] : [messageId]), ...(sent.otherIds ?? [])];
    const network = messageIds.length === 0 ? null : { account: line.account.account, messageIds };
    try {
      return await store({ messageId, network });
    } catch (cause) {
      deps.faults.failed(line.gateway.name, "store what was delivered", cause);
      throw new TelexError("delivery_unknown", { cause });
    }
  };

  return {
    async deliver(group, parts, store) {
      const leave = places.take(findOnline(deps, group).account.account);
      return rooms.run(String(group.groupId), () => sendAndStore(group, parts, store)).finally(leave);
    },
    stateOf: (group) => stateOf(deps, group),
    settled: (groupId) => rooms.settled(String(groupId)),
  };
}
