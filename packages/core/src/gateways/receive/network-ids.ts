import type { Clock } from "@telex/ground/time";
import { networkIdsOf } from "../../networks/ids.ts";
import { isRecalledContent } from "../../messages/recalls/recalled.ts";
import type { NetworkIds } from "../../records/message-append.ts";
import type { MessageRecord } from "../../records/messages.ts";
import type { GatewayPart } from "../../networks/gateway.ts";
import type { CheckedMessage } from "../../networks/incoming.ts";
import type { GatewaysLimits } from "../limits.ts";
import { normalTrace, traceOfContent, traceOfIncoming, traceOfPart } from "./traces.ts";

/** Milliseconds by which the clock of a network may differ. */
export const clockSkew = 60_000;

/** The id of a message that was in the outbox, in addition to the ids of the network: other servers may look it up. */
export const outboxId = (id: string): string => `telex:${id}`;

/** True for an id that {@link outboxId} has made: no network knows it. */
export const isOutboxId = (messageId: string): boolean => messageId.startsWith(outboxId(""));

/** Tells the echo of a message that has been on its way to a network since `start` (Unix milliseconds), if that was stored before its answer. */
export function echoOf(parts: readonly GatewayPart[], start: number): (known: MessageRecord) => boolean {
  const trace = normalTrace(parts.map(traceOfPart));
  return ({ external, receiveTime, content }) => external && receiveTime >= start && traceOfContent(content) === trace;
}

/**
 * The ids of a message that was sent here. The network may have used an id for another message before: only the message's id in the outbox
 * says that it is stored already.
 * @param isEcho true for an event of the network about the message
 */
export const sentIds = (
  account: string,
  messageIds: readonly (string | null)[],
  id: string,
  isEcho: (known: MessageRecord) => boolean = () => false,
): NetworkIds => ({
  account,
  messageIds: [...networkIdsOf(messageIds), outboxId(id)],
  isSame: (existing, messageId) => isOutboxId(messageId) || isEcho(existing),
});

interface TellApartDeps {
  readonly clock: Clock;
  readonly limits: Pick<GatewaysLimits, "gatewayQueueTime" | "gatewayAnswerTime">;
}

/** True for a stored message with the same content, or whose content was recalled. */
function createSaysThis({ segments }: CheckedMessage): (stored: MessageRecord) => boolean {
  const trace = normalTrace(segments.map(traceOfIncoming));
  return ({ content }) => isRecalledContent(content) || traceOfContent(content) === trace;
}

/**
 * The ids of a message that was received, whose sender has this `userId`. The network may tell of a message several times, and may give its
 * id to another one, for example after the program of the bot was started again.
 */
export function receivedIds(message: CheckedMessage, userId: string, { clock, limits }: TellApartDeps): NetworkIds {
  const { account, messageId, otherIds, createTime, isOwn } = message;
  const echoTime = clockSkew + limits.gatewayQueueTime + limits.gatewayAnswerTime;
  const saysThis = createSaysThis(message);
  /** The clock of the network may be wrong, and the network may change sent messages. */
  const isEchoOf = (stored: MessageRecord): boolean =>
    [createTime, clock.now()].some((time) => Math.abs(stored.createTime - time) <= echoTime) || saysThis(stored);
  return {
    account,
    messageIds: networkIdsOf([messageId, ...otherIds]),
    isSame(existing) {
      if (!existing.external) return isOwn && isEchoOf(existing);
      // A repeat does not have a later time.
      return existing.userId === userId && createTime <= existing.createTime + clockSkew && saysThis(existing);
    },
  };
}
