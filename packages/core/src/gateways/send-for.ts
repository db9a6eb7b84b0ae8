import type { FindRoomDeps } from "./find-room.ts";
import { TelexError } from "../errors/errors.ts";
import type { Room } from "../records/groups.ts";
import type { NetworkMessageStore } from "./message-store.ts";
import type { MessageAppended } from "../records/message-append.ts";
import type { MessageRecord, OutboxRecord } from "../records/messages.ts";
import type { SharedLimits } from "../contract/shared-limits.ts";
import type { Clock } from "../time/clock.ts";
import { type Dispatch, type OutboxPlace, SendTaken, unknownOutcome } from "./dispatch.ts";
import type { Delivered } from "../networks/sending.ts";
import { type AcceptedSends, keptOrigin } from "./accepted.ts";
import type { GatewayFaults } from "./faults.ts";
import type { AccountHolds } from "./holds.ts";
import { nonceOf, onlySegments, type OutboxMessage, type OutboxRowDeps, readRow } from "./outbox-rows.ts";
import type { SendAnswer } from "./send-there.ts";

/** What sending for another server needs. */
interface SendForDeps extends OutboxRowDeps {
  readonly store: Pick<NetworkMessageStore, "findSend" | "cancelSend" | "append">;
  readonly rooms: FindRoomDeps["rooms"];
  readonly clock: Clock;
  readonly limits: Pick<SharedLimits, "nonceLife">;
  readonly holds: Pick<AccountHolds, "isHeld">;
  readonly dispatch: Pick<Dispatch, "run" | "find">;
  readonly faults: GatewayFaults;
  /** Settles in the order of the calls. */
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
  readonly accepted: AcceptedSends;
  /** Tells the members. `sent`: the id that the message had in the outbox, by which another server knows its origin. */
  readonly publish: (record: MessageRecord, room: Room, origin: object | null, sent: string | null) => void;
}

type Stored = Extract<MessageAppended, { readonly message: MessageRecord }>;

/** Stores a message of the outbox, or the parts of it that the network has. */
async function storeRow(
  { store, clock, limits, ordered }: SendForDeps,
  { row, kept, parts }: Prepared,
  { messageId, network, sent, parts: delivered }: Delivered,
): Promise<Stored> {
  const now = clock.now();
  const isWanted = (_segment: unknown, index: number): boolean =>
    delivered === null || delivered.some((part) => part === parts[index]);
  const only = onlySegments(kept, isWanted);
  const appended = await ordered(
    store.append({
      files: only.files,
      attachments: only.attachments,
      message: { ...only.message, createTime: now, receiveTime: now, botMessageId: messageId },
      nonce: delivered === null ? nonceOf(row, limits.nonceLife) : null,
      network,
      sent,
    }),
  );
  if (!("message" in appended)) throw new TelexError("delivery_unknown");
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

/** Stores a message of the outbox, and tells the members. Those of a part see it everywhere: its sender is told that the whole is not known. */
async function storeAndTell(deps: SendForDeps, prepared: Prepared, delivered: Delivered): Promise<MessageRecord> {
  const { accepted, publish } = deps;
  const { row, room, kept } = prepared;
  const { outcome, message } = await storeRow(deps, prepared, delivered);
  const isPart = delivered.parts !== null;
  if (outcome === "appended" && isPart) publish(message, room, null, null);
  const origin = accepted.get(row.id)?.origin ?? keptOrigin(kept);
  if (outcome === "appended" && !isPart) publish(message, room, origin, row.id);
  return message;
}

function send(deps: SendForDeps, prepared: Prepared): Promise<MessageRecord> {
  const { row, room, parts } = prepared;
  const { account, id } = row;
  const store = (delivered: Delivered) => storeAndTell(deps, prepared, delivered);
  return deps.dispatch.run({ group: room.group, parts, store }, { account, id });
}

/** What is said of a message that was not sent, or whose outcome is not known. */
function failureOf({ faults }: SendForDeps, cause: unknown): SendAnswer {
  if (cause instanceof SendTaken) return { outcome: "taken" };
  if (!TelexError.is(cause)) faults.failed("outbox", "send for another server", cause);
  const { code, reason = null, params } = TelexError.from(cause);
  return { outcome: "failed", code, reason, params: { ...params } };
}

/** What the server that has the account says of a message that does not wait, and that it is not sending. */
async function answerLater({ store, clock }: SendForDeps, place: OutboxPlace, isHeld: boolean): Promise<SendAnswer> {
  // Looked up again: a send that has ended meanwhile has stored its message before.
  const row = isHeld ? await store.findSend({ ...place, now: clock.now() }) : null;
  if (row?.state !== "started") return { outcome: "taken" };
  const { code } = unknownOutcome();
  return { outcome: "failed", code, reason: null, params: {} };
}

/** Sends messages that wait in the outbox. */
export interface SendFor {
  /** What is said of a message, when its outcome is known. Never rejects. */
  tell(outcome: Promise<MessageRecord>): Promise<SendAnswer>;
  /**
   * Sends a message that waits: another server has accepted it for an account of this one, or a repeat of it has come. Null if another
   * server has the account.
   */
  send(place: OutboxPlace): Promise<SendAnswer | null>;
}

export function createSendFor(deps: SendForDeps): SendFor {
  const { store, clock, holds, dispatch } = deps;
  const fail = (cause: unknown): SendAnswer => failureOf(deps, cause);
  const tell = (outcome: Promise<MessageRecord>): Promise<SendAnswer> =>
    outcome.then((message) => ({ outcome: "stored", message }) as const).catch(fail);
  return {
    tell,
    async send(place) {
      const isHeld = holds.isHeld(place.account);
      if (isHeld === false) return null;
      const row = await store.findSend({ ...place, now: clock.now() });
      const running = dispatch.find(place);
      if (running !== null) return tell(running);
      if (row?.state !== "waiting") return answerLater(deps, place, isHeld === true);
      const prepared = await prepare(deps, row).catch(fail);
      if (!("outcome" in prepared)) return tell(send(deps, prepared));
      // Another server may have the account by now, and may be sending it.
      return (await store.cancelSend(place)) ? prepared : { outcome: "taken" };
    },
  };
}
