import type { SharedLimits } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Room } from "../../records/groups.ts";
import type { MessageAppended } from "../../records/message-append.ts";
import type { MessageRecord, OutboxRecord } from "../../records/messages.ts";
import type { GatewayOutcome, GatewayPart } from "../../networks/gateway.ts";
import { networkIdOf } from "../../networks/ids.ts";
import { findRoute, isOnline, type RouteDeps } from "../accounts/routes.ts";
import { echoOf, sentIds } from "../receive/network-ids.ts";
import type { NetworkMessageStore } from "../message-store.ts";
import type { FindRoomDeps } from "../receive/find-room.ts";
import { ask, type AskDeps } from "./ask.ts";
import { offline, partlySent, type SendOutcome, unknownOutcome, writeFailure } from "./outcome.ts";
import { keptOrigin, type KeptMessage } from "./kept.ts";
import { nonceOf, onlySegments, type OutboxMessage, type OutboxRowDeps, readRow } from "./outbox-rows.ts";

/** Milliseconds for which a failed row keeps its reason: callers on other servers read it there. */
const failureLife = 30_000;
/** Ends a message that waits as not sent. False if it does not wait any more. */
export const endUnsent = (
  store: Pick<NetworkMessageStore, "finishSend">,
  { account, id }: Pick<OutboxRecord, "account" | "id">,
  now: number,
): Promise<boolean> => {
  const reason = writeFailure(offline());
  return store.finishSend({ account, id, outcome: "failed", from: "waiting", reason, until: now + failureLife });
};
/** Attempts to store the end of a row, and milliseconds between them. */
const endAttempts = { most: 10, pause: 500 } as const;

export interface DeliverDeps extends RouteDeps, AskDeps, OutboxRowDeps {
  readonly store: Pick<NetworkMessageStore, "startSend" | "finishSend" | "append">;
  readonly rooms: FindRoomDeps["rooms"];
  readonly limits: AskDeps["limits"] & Pick<SharedLimits, "nonceLife">;
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
  /** The connection or device of this server on which a message was sent, or null. */
  readonly originOf: (id: string) => object | null;
  /** Publishes a stored message. `sent`: its id in the outbox, by which other servers know the origin. */
  readonly publish: (record: MessageRecord, room: Room, origin: object | null, sent: string | null) => void;
}

interface Prepared extends OutboxMessage {
  readonly row: OutboxRecord;
  readonly room: Room;
}

type Sent = Extract<GatewayOutcome, { readonly outcome: "delivered" | "partly" | "unknown" }>;
type Known = Exclude<Sent, { readonly outcome: "unknown" }>;

/** The network does not have a message. */
interface Unsent {
  readonly cause: unknown;
  /** False if its row did not wait any more. */
  readonly isOurs: boolean;
}

/** A message that the network has or may have. */
interface Answered {
  readonly prepared: Prepared;
  readonly sent: Sent;
  readonly isEcho: (known: MessageRecord) => boolean;
}

/** @throws TelexError if the network has no part of the message */
function assertSent(outcome: GatewayOutcome): asserts outcome is Sent {
  if (outcome.outcome === "offline") throw offline();
  if (outcome.outcome === "unsupported") throw new TelexError("delivery_failed", { reason: "bot_unsupported" });
  if (outcome.outcome === "refused")
    throw new TelexError("delivery_failed", { reason: "bot_refused", params: { detail: outcome.detail } });
}

async function prepare(deps: DeliverDeps, row: OutboxRecord): Promise<Prepared> {
  const room = await deps.rooms.find(row.groupId);
  if (room === null) throw offline();
  return { ...(await readRow(deps, row)), row, room };
}

/** A message with the segments whose parts were delivered. */
const onlyParts = (kept: KeptMessage, parts: readonly GatewayPart[], delivered: readonly GatewayPart[]): KeptMessage =>
  onlySegments(kept, (_segment, index) => {
    const part = parts[index];
    return part !== undefined && delivered.includes(part);
  });

/** Stores the parts of a message that the network has, as its sender's message, and publishes it. */
async function storeSent(
  deps: DeliverDeps,
  { row, kept, parts, room }: Prepared,
  sent: Known & { readonly isEcho: (known: MessageRecord) => boolean },
): Promise<MessageRecord> {
  const { clock, limits, store, ordered, originOf, publish } = deps;
  const { account, id } = row;
  const { otherIds = [], isEcho } = sent;
  const messageId = networkIdOf(sent.messageId);
  const isPart = sent.outcome === "partly";
  const { message, files, attachments } = isPart ? onlyParts(kept, parts, sent.parts) : kept;
  const now = clock.now();
  const appended: MessageAppended = await ordered(
    store.append({
      files,
      attachments,
      message: { ...message, createTime: now, receiveTime: now, botMessageId: messageId, notice: null },
      // The nonce of a part stays in the outbox, with the whole.
      nonce: isPart ? null : nonceOf(row, limits.nonceLife),
      network: sentIds(account, [messageId, ...otherIds], id, isEcho),
      sent: { account, id, isPart },
    }),
  );
  if (!("message" in appended)) throw unknownOutcome();
  const origin = isPart ? null : (originOf(id) ?? keptOrigin(kept));
  if (appended.outcome === "appended") publish(appended.message, room, origin, isPart ? null : id);
  return appended.message;
}

/** Stores how a row has ended. False if another server has ended it, or if the storage is away for too long. */
async function end(
  { store, clock, faults }: DeliverDeps,
  ended: Parameters<NetworkMessageStore["finishSend"]>[0],
): Promise<boolean> {
  for (let attempt = 1; attempt <= endAttempts.most; attempt += 1) {
    try {
      return await store.finishSend(ended);
    } catch (cause) {
      faults.failed("outbox", "store an outcome", cause);
      await new Promise<void>((resolve) => clock.after(endAttempts.pause, resolve));
    }
  }
  return false;
}

/** Asks the network, once. */
async function askOnce(
  deps: DeliverDeps,
  row: OutboxRecord,
  previous: () => Promise<void>,
): Promise<Answered | Unsent> {
  const { store, clock, limits } = deps;
  const { account, id } = row;
  let isStarted = false;
  const start = async (): Promise<boolean> => {
    const now = clock.now();
    isStarted = await store.startSend({ account, id, now, until: now + limits.nonceLife });
    if (isStarted) await previous();
    return isStarted;
  };
  try {
    const prepared = await prepare(deps, row);
    const route = findRoute(deps, prepared.room.group);
    // The room may send through another account by now.
    if (route?.account.account !== account || !isOnline(route)) throw offline();
    const isEcho = echoOf(prepared.parts, clock.now());
    const outcome = await ask(deps, route, { parts: prepared.parts, start });
    assertSent(outcome);
    return { prepared, sent: outcome, isEcho };
  } catch (cause) {
    const until = clock.now() + failureLife;
    const from = isStarted ? ("started" as const) : ("waiting" as const);
    const reason = writeFailure(cause);
    const isOurs = (await end(deps, { account, id, outcome: "failed", from, reason, until })) || isStarted;
    return { cause, isOurs };
  }
}

/** The network may have the message, and its row records that. */
async function lose(deps: DeliverDeps, { account, id }: OutboxRecord, cause: unknown): Promise<SendOutcome> {
  await end(deps, { account, id, outcome: "unknown", from: "started" });
  return { cause };
}

/** Stores the outcome of a message that the network has, or may have. */
async function settle(deps: DeliverDeps, { prepared, sent, isEcho }: Answered): Promise<SendOutcome> {
  const { row } = prepared;
  if (sent.outcome === "unknown") return lose(deps, row, unknownOutcome());
  try {
    const message = await storeSent(deps, prepared, { ...sent, isEcho });
    return sent.outcome === "partly" ? { cause: partlySent() } : { message };
  } catch (cause) {
    deps.faults.failed("outbox", "store what was delivered", cause);
    return lose(deps, row, new TelexError("delivery_unknown", { cause }));
  }
}

/**
 * Gives a waiting row of the outbox to its network. Resolves when the network has answered, with the promise of the stored outcome. That outcome
 * is null if another server or its sender has ended or started the row.
 * @param previous resolves when the message before this one is stored, and the network may be asked. Starting the row does not wait for it, so
 *   that both writes share a transaction
 */
export async function deliver(
  deps: DeliverDeps,
  row: OutboxRecord,
  previous: () => Promise<void>,
): Promise<{ readonly isOurs: boolean; readonly stored: Promise<SendOutcome | null> }> {
  const attempt = await askOnce(deps, row, previous);
  if ("sent" in attempt) return { isOurs: true, stored: settle(deps, attempt) };
  const { cause, isOurs } = attempt;
  if (!TelexError.is(cause)) deps.faults.failed("outbox", "send", cause);
  return { isOurs, stored: Promise.resolve(isOurs ? { cause } : null) };
}
