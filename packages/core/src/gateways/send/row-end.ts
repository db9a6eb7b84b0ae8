import type { Clock } from "@telex/ground/time";
import type { GroupRecord } from "../../records/groups.ts";
import type { MessageRecord, OutboxRecord } from "../../records/messages.ts";
import type { SendKey, SendRoom } from "../../messages/outbox-store.ts";
import type { GatewaysLimits } from "../limits.ts";
import { findRoute, type RouteDeps } from "../accounts/routes.ts";
import { outboxId } from "../receive/network-ids.ts";
import type { NetworkMessageStore } from "../message-store.ts";
import type { Reaching } from "../accounts/reach.ts";
import { endUnsent } from "./deliver.ts";
import { offline, partlySent, readFailure, type SendOutcome, unknownOutcome } from "./outcome.ts";

/** Milliseconds that storing an outcome may take. */
const storeTime = 5000;

export interface RowEndDeps extends RouteDeps {
  readonly store: Pick<NetworkMessageStore, "finishSend" | "findNetworkMessage">;
  readonly clock: Clock;
  readonly limits: Pick<GatewaysLimits, "gatewayAnswerTime">;
  readonly reaching: Pick<Reaching, "find">;
  readonly hasPeers: boolean;
  readonly closing: AbortSignal;
  readonly wake: (room: SendRoom) => void;
  readonly isSending: (id: string) => boolean;
}

/** A message for which a caller on this server waits. */
export interface Expected extends SendKey {
  readonly group: GroupRecord;
  /** The connection or device on which it was sent; null for none, and for a repeat. */
  readonly origin: object | null;
  /** Called with the message if another server has stored it. */
  readonly storedElsewhere: (message: MessageRecord) => void;
}

/** An expected message that must not begin after its `deadline` (Unix milliseconds). */
interface ExpectedUntil extends Expected {
  readonly deadline: number;
}

/** The end of a row that was read, or null while the row waits or is being sent. */
function endOf(row: OutboxRecord): SendOutcome | null {
  if (row.state === "failed") return { cause: readFailure(row.message) };
  if (row.state === "partly") return { cause: partlySent() };
  return row.state === "unknown" ? { cause: unknownOutcome() } : null;
}

/** True if no server will store the outcome of a message that has started. */
const isLost = ({ limits, hasPeers, isSending }: RowEndDeps, { id, at }: OutboxRecord, now: number): boolean =>
  now >= at + limits.gatewayAnswerTime + storeTime || (!hasPeers && !isSending(id));

/** Where the account of a message is now; null if it cannot send. */
async function reachOf(deps: RowEndDeps, { group, account }: Expected) {
  const route = findRoute(deps, group);
  return route === null || route.account.account !== account ? null : deps.reaching.find(route);
}

/** The end of a message without a row: stored, or deleted because it was not touched. */
async function endWithoutRow({ store }: RowEndDeps, expected: ExpectedUntil): Promise<SendOutcome> {
  const { account, id, group } = expected;
  const messageId = outboxId(id);
  const message = await store.findNetworkMessage({ account, groupId: group.groupId, messageId });
  if (message === null) return { cause: offline() };
  expected.storedElsewhere(message);
  return { message };
}

/** The end of a message that waits, if it must not begin any more. */
async function endOfWaiting(
  deps: RowEndDeps,
  expected: ExpectedUntil,
  { until }: OutboxRecord,
  now: number,
): Promise<SendOutcome | null> {
  const { store, closing, wake } = deps;
  const isOver = closing.aborted || now >= expected.deadline || until <= now;
  const reach = isOver ? null : await reachOf(deps, expected);
  if (reach === null) {
    // It may have started after it was read.
    return (await endUnsent(store, expected, now)) ? { cause: offline() } : null;
  }
  if (reach.at === "here") wake({ account: expected.account, groupId: expected.group.groupId });
  return null;
}

/** The end of a message, or null while it waits or is being sent. */
export async function findEnd(
  deps: RowEndDeps,
  expected: ExpectedUntil,
  row: OutboxRecord | null,
  now: number,
): Promise<SendOutcome | null> {
  if (row === null) return endWithoutRow(deps, expected);
  if (row.state === "waiting") return endOfWaiting(deps, expected, row, now);
  if (row.state === "started") return isLost(deps, row, now) ? { cause: unknownOutcome() } : null;
  return endOf(row);
}
