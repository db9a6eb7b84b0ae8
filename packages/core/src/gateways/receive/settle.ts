import type { SharedLimits } from "@telex/ground/contract";
import type { Clock } from "@telex/ground/time";
import { readContent, type ReadSegment } from "../../records/content.ts";
import type { NetworkMessageStore } from "../message-store.ts";
import type { MessageAppended } from "../../records/message-append.ts";
import type { OutboxRecord } from "../../records/messages.ts";
import type { GatewaysLimits } from "../limits.ts";
import type { CheckedMessage, IncomingSegment } from "../../networks/incoming.ts";
import { keptOrigin, type KeptMessage, readKept } from "../send/kept.ts";
import { clockSkew, sentIds } from "./network-ids.ts";
import { nonceOf, onlySegments } from "../send/outbox-rows.ts";
import { normalTrace, traceOf, traceOfIncoming } from "./traces.ts";

interface SettleDeps {
  readonly store: Pick<NetworkMessageStore, "listStartedSends" | "append">;
  readonly clock: Clock;
  readonly limits: Pick<SharedLimits, "nonceLife"> & Pick<GatewaysLimits, "gatewayQueueTime" | "gatewayAnswerTime">;
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
}

/** The name of a file if the network does not give one. */
const nameless = "file";

/** True if the names of the files of an echo match these. */
function areFiles({ attachments }: KeptMessage, echoed: readonly IncomingSegment[]): boolean {
  const names = echoed.flatMap(({ type, data }) => (type === "file" ? [data.name] : []));
  return names.every((name, place) => name === nameless || name === attachments[place]?.name);
}

const isSpoken = ({ file }: ReadSegment): boolean => file === undefined;

/** The part of a message of the outbox that an echo shows. */
interface Match {
  readonly row: OutboxRecord;
  readonly kept: KeptMessage;
  readonly isPart: boolean;
}

/** True if the network may have received the message at this time: the owner may write the same words an hour later. */
const isTimely = ({ at }: OutboxRecord, createTime: number, { limits }: Pick<SettleDeps, "limits">): boolean =>
  createTime >= at - clockSkew && createTime <= at + limits.gatewayQueueTime + limits.gatewayAnswerTime + clockSkew;

function matchOf(row: OutboxRecord, { segments: echoed }: CheckedMessage): Match | null {
  const stored = readKept(row.message);
  const segments = readContent(stored.message.content);
  const trace = normalTrace(echoed.map(traceOfIncoming));
  if (normalTrace(segments.map(traceOf)) === trace)
    return areFiles(stored, echoed) ? { row, kept: stored, isPart: false } : null;
  const spoken = segments.filter(isSpoken);
  if (spoken.length === 0 || normalTrace(spoken.map(traceOf)) !== trace) return null;
  // Some networks get the files of a message one by one, after the rest.
  return { row, kept: onlySegments(stored, isSpoken), isPart: true };
}

type Settled = Extract<MessageAppended, { readonly outcome: "appended" | "repeated" }> & {
  readonly origin: object | null;
};

const firstMatch = (rows: readonly OutboxRecord[], echo: CheckedMessage, deps: SettleDeps) =>
  Iterator.from(rows)
    .filter((row) => isTimely(row, echo.createTime, deps))
    .map((row) => matchOf(row, echo))
    .find((match) => match !== null);

/**
 * Stores the message of the outbox that the echo of an account's own message shows, as its sender's. Null if it shows none, or
 * if its files are gone.
 */
export async function settleSend(deps: SettleDeps, groupId: number, echo: CheckedMessage): Promise<Settled | null> {
  const { store, clock, limits, ordered } = deps;
  const now = clock.now();
  const { account, messageId, otherIds } = echo;
  const match = firstMatch(await store.listStartedSends({ account, groupId, now }), echo, deps);
  if (match === undefined) return null;
  const { row, kept, isPart } = match;
  const message = { ...kept.message, botMessageId: messageId, receiveTime: now, notice: null };
  const appended = await ordered(
    store.append({
      files: kept.files,
      attachments: kept.attachments,
      message,
      nonce: isPart ? null : nonceOf(row, limits.nonceLife),
      network: sentIds(account, [messageId, ...otherIds], row.id),
      sent: { account, id: row.id, isPart },
    }),
  );
  return "message" in appended ? { ...appended, origin: keptOrigin(kept) } : null;
}
