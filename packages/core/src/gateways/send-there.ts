import { z } from "zod";
import { errorCodes } from "../errors/codes.ts";
import { TelexError } from "../errors/errors.ts";
import { reasonKeys } from "../errors/keys.ts";
import type { GroupRecord } from "../records/groups.ts";
import { messageRecord, type MessageRecord, type OutboxRecord } from "../records/messages.ts";
import type { NetworkMessageStore } from "./message-store.ts";
import type { GatewaysLimits } from "./limits.ts";
import type { Clock } from "../time/clock.ts";
import { type OutboxPlace, partlySent, unknownOutcome } from "./dispatch.ts";
import type { GatewayFaults } from "./faults.ts";
import { findLine, type LineDeps } from "./lines.ts";
import { outboxId } from "./network-ids.ts";
import type { AccountQuestions, Unanswered } from "./questions.ts";
import type { Reaching } from "./reach.ts";

/** Milliseconds for which a server that was asked to send may say nothing. */
const patience = 2500;
/** Questions without an answer after which a message that still waits is not sent. */
const mostQuestions = 4;
/** Failures of the storage, one after the other, after which nobody waits any more. */
const mostFailures = 20;
/** Milliseconds until a server is asked again that has not said what has become of a message. */
const pause = 500;
/** Milliseconds that the outcome of a message may take to be stored. */
const storeTime = 5000;

const text = z.string();
const failed = {
  outcome: z.literal("failed"),
  code: z.enum(errorCodes),
  params: z.record(text, z.union([text, z.number()])),
};

const sendAnswer = z.discriminatedUnion("outcome", [
  /** The server that has stored it tells the members. */
  z.object({ outcome: z.literal("stored"), message: messageRecord }),
  z.object({ ...failed, reason: z.enum(reasonKeys).nullable() }),
  /** It is not in the outbox, or does not wait there any more, and that server is not sending it. */
  z.object({ outcome: z.literal("taken") }),
]);

/** What the server that has the account says of a message of the outbox. */
export type SendAnswer = z.output<typeof sendAnswer>;

/** What sending through another server needs. */
export interface SendThereDeps extends LineDeps {
  readonly store: Pick<NetworkMessageStore, "findSend" | "cancelSend" | "findNetworkMessage">;
  readonly clock: Clock;
  readonly faults: GatewayFaults;
  readonly limits: Pick<GatewaysLimits, "gatewayAnswerTime">;
  readonly reaching: Pick<Reaching, "find" | "holderOf" | "forget">;
  readonly questions: Pick<AccountQuestions, "ask">;
  /** False if this is the only server. */
  readonly hasPeers: boolean;
  /** Sends a message of the outbox on this server. Null if it does not have the account. */
  readonly sendFor: (place: OutboxPlace) => Promise<SendAnswer | null>;
  /** Aborted when the instance closes. */
  readonly closing: AbortSignal;
}

/**
 * Sends a message that waits in the outbox through the server that has its account, and resolves when it is stored. One that has started
 * is only followed: several may do this for one message. Whatever that server and the bus do, the message is sent once at most, and this
 * comes to an end.
 * @throws TelexError `bot_offline` if the message was not sent; `delivery_failed`, `delivery_unknown`
 */
export type SendThere = (group: GroupRecord, place: OutboxPlace) => Promise<MessageRecord>;

/** What is known of a message: where it is stored, or why it is not; null if it may still be sent, or is being sent. */
export type Known = MessageRecord | TelexError | null;

/** What an answer says of its message; null if that server does not know it. */
export function readAnswer(answer: SendAnswer): Known {
  if (answer.outcome === "taken") return null;
  if (answer.outcome === "stored") return answer.message;
  const { code, reason, params } = answer;
  return TelexError.of(code, { params, ...(reason !== null && { reason }) });
}

/** Asks another server to send a message, and for the outcome. */
export function askToSend(
  { questions }: Pick<SendThereDeps, "questions">,
  server: string,
  { account, id }: OutboxPlace,
): Promise<SendAnswer | Unanswered> {
  const question = { name: "send", account, id } as const;
  return questions.ask({ server, key: id, question, answer: sendAnswer, patience });
}

/** What is known of a message while other servers are asked to send it. */
interface Asking {
  /** The server that was asked last. */
  server: string | null;
  questions: number;
  isGone: boolean;
  /** True if the account was offline when it was looked for last. */
  isOffline: boolean;
  /** Failures of the storage since something was heard of the message. */
  failures: number;
}

/** Asks the server that has the account now. Null if it does not say what has become of the message. */
async function askNow(deps: SendThereDeps, place: OutboxPlace, { server }: Asking, isHere: boolean): Promise<Known> {
  const { reaching, sendFor } = deps;
  const there = isHere ? sendFor(place) : server === null ? null : askToSend(deps, server, place);
  const answer = (await there) ?? "elsewhere";
  if (typeof answer !== "string") return readAnswer(answer);
  reaching.forget(place.account);
  return null;
}

/** True if nobody will say what has become of a message that has started. */
async function isLost(
  { clock, limits, reaching, hasPeers }: SendThereDeps,
  { account, at }: OutboxRecord,
  server: string | null,
): Promise<boolean> {
  const isLate = clock.now() >= at + limits.gatewayAnswerTime + storeTime;
  return !hasPeers || isLate || (await reaching.holderOf(account)) !== server;
}

/** What the outbox says of a message for which there was no answer. */
async function lookUp(
  deps: SendThereDeps,
  { groupId }: GroupRecord,
  place: OutboxPlace,
  asking: Asking,
): Promise<Known> {
  const { store, clock, closing } = deps;
  const row = await store.findSend({ ...place, now: clock.now() });
  if (row === null) {
    const stored = await store.findNetworkMessage({ account: place.account, groupId, messageId: outboxId(place.id) });
    if (stored !== null) return stored;
    // The server that has taken it out may still say why.
    if (asking.isGone) return new TelexError("bot_offline");
    asking.isGone = true;
    return null;
  }
  if (row.state === "partly") return partlySent();
  if (row.state === "started" && (await isLost(deps, row, asking.server))) return unknownOutcome();
  const isOver = asking.isOffline || closing.aborted || asking.questions >= mostQuestions;
  if (row.state === "waiting" && isOver && (await store.cancelSend(place))) return new TelexError("bot_offline");
  return null;
}

/** Asks for a message once, and looks after it. */
async function attempt(deps: SendThereDeps, group: GroupRecord, place: OutboxPlace, asking: Asking): Promise<Known> {
  const line = findLine(deps, group);
  const isSame = line !== null && line.account.account === place.account;
  const reach = isSame ? await deps.reaching.find(line) : null;
  if (reach?.at === "there") asking.server = reach.server;
  asking.questions += 1;
  const told = await askNow(deps, place, asking, reach?.at === "here");
  asking.isOffline = reach === null;
  const known = told ?? (await lookUp(deps, group, place, asking));
  asking.failures = 0;
  return known;
}

/** See {@link SendThere}. */
export const createSendThere =
  (deps: SendThereDeps): SendThere =>
  async (group, place) => {
    const asking: Asking = { server: null, questions: 0, isGone: false, isOffline: false, failures: 0 };
    for (;;) {
      const known = await attempt(deps, group, place, asking).catch((cause: unknown) => {
        deps.faults.failed("outbox", "send through another server", cause);
        asking.failures += 1;
        // The message may still wait, so another server may send it.
        return asking.failures < mostFailures && !deps.closing.aborted ? null : unknownOutcome();
      });
      if (TelexError.is(known)) throw known;
      if (known !== null) return known;
      await new Promise<void>((resolve) => deps.clock.after(pause, resolve));
    }
  };
