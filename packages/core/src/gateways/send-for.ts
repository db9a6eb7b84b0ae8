import { TelexError } from "../errors/errors.ts";
import type { Room, Rooms } from "../groups/rooms.ts";
import type { MessageRecord, MessageStore, OutboxRecord } from "../messages/store.ts";
import type { Limits } from "../options/limits.ts";
import type { Clock } from "../time/clock.ts";
import { type Delivered, type Dispatch, outboxId, type OutboxPlace, SendTaken, type StoredSend } from "./dispatch.ts";
import type { GatewayFaults } from "./faults.ts";
import type { AccountHolds } from "./holds.ts";
import { nonceOf, onlySegments, type OutboxMessage, type OutboxRowDeps, readRow } from "./outbox-rows.ts";
import type { SendAnswer } from "./send-there.ts";

/** What sending for another server needs. */
interface SendForDeps extends OutboxRowDeps {
  readonly store: Pick<MessageStore, "findSend" | "cancelSend" | "append">;
  readonly rooms: Pick<Rooms, "find">;
  readonly clock: Clock;
  readonly limits: Pick<Limits, "nonceLife">;
  readonly holds: Pick<AccountHolds, "isHeld">;
  readonly dispatch: Pick<Dispatch, "run">;
  readonly faults: GatewayFaults;
  /** Settles in the order of the calls. */
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
  /** Tells the members of a message that only this server knows. */
  readonly publish: (record: MessageRecord, room: Room) => void;
}

/** Stores a message of the outbox, or the parts of it that the network has. */
async function storeRow(
  { store, clock, limits, ordered, publish }: SendForDeps,
  { row, room, kept, parts }: Prepared,
  { messageId, network, sent, parts: delivered }: Delivered,
): Promise<StoredSend> {
  const now = clock.now();
  const isWanted = (_segment: unknown, index: number): boolean =>
    delivered === null || delivered.some((part) => part === parts[index]);
  const only = onlySegments(kept, isWanted);
  const appended = await ordered(
    store.append({
      ...only,
      message: { ...only.message, createTime: now, receiveTime: now, botMessageId: messageId },
      nonce: delivered === null ? nonceOf(row, limits.nonceLife) : null,
      // The server that has accepted the message finds it by this id if it does not hear of it.
      network: network && { ...network, messageIds: [...new Set([...network.messageIds, outboxId(row.id)])] },
      sent,
    }),
  );
  if (!("message" in appended)) throw new TelexError("delivery_unknown");
  // Its sender is told that the outcome is not known.
  if (delivered !== null && appended.outcome === "appended") publish(appended.message, room);
  return appended;
}

/** A message of the outbox, with its room. */
interface Prepared extends OutboxMessage {
  readonly row: OutboxRecord;
  readonly room: Room;
}

async function prepare(deps: SendForDeps, row: OutboxRecord): Promise<Prepared> {
  const room = await deps.rooms.find(row.groupId);
  if (room === null) throw new TelexError("bot_offline");
  return { ...(await readRow(deps, row)), row, room };
}

async function send(deps: SendForDeps, prepared: Prepared): Promise<SendAnswer> {
  const { row, room, parts } = prepared;
  const { account, id } = row;
  const store = (delivered: Delivered) => storeRow(deps, prepared, delivered);
  const stored = await deps.dispatch.run({ group: room.group, parts, store }, { account, id });
  return { outcome: stored.outcome, message: stored.message };
}

/** What is said of a message that was not sent, or whose outcome is not known. */
function failureOf({ faults }: SendForDeps, cause: unknown): SendAnswer {
  if (cause instanceof SendTaken) return { outcome: "taken" };
  if (!TelexError.is(cause)) faults.failed("outbox", "send for another server", cause);
  const { code, reason = null, params } = TelexError.from(cause);
  return { outcome: "failed", code, reason, params: { ...params } };
}

/**
 * Sends a message that waits in the outbox, because another server has accepted it for an account of this one. Null if this server
 * does not have the account.
 */
export const createSendFor =
  (deps: SendForDeps) =>
  async ({ account, id }: OutboxPlace): Promise<SendAnswer | null> => {
    if (deps.holds.isHeld(account) !== true) return null;
    const row = await deps.store.findSend({ account, id, now: deps.clock.now() });
    if (row?.state !== "waiting") return { outcome: "taken" };
    const fail = (cause: unknown): SendAnswer => failureOf(deps, cause);
    const prepared = await prepare(deps, row).catch(fail);
    if (!("outcome" in prepared)) return send(deps, prepared).catch(fail);
    // Another server may have the account by now, and may be sending it.
    return (await deps.store.cancelSend({ account, id })) ? prepared : { outcome: "taken" };
  };
