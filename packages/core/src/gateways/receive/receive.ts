import { createInTurn } from "@telex/ground/concurrency";
import { parseInput, type SharedLimits } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { GroupRecord, Room } from "../../records/groups.ts";
import type { GatewaysLimits } from "../limits.ts";
import { keepSegments, toPinyin } from "../../records/segments.ts";
import type { NetworkMessageStore } from "../message-store.ts";
import type { MessageAppend, MessageAppended, NetworkIds } from "../../records/message-append.ts";
import type { MessageRecord } from "../../records/messages.ts";
import type { Tally } from "../../observe/figures.ts";
import { buildReceived, type ReceivedMessage } from "./build.ts";
import type { GatewayFaults } from "../faults.ts";
import { addRoom, findRoom, type FindRoomDeps } from "./find-room.ts";
import type {
  Gateway,
  GatewayAccount,
  GatewayInbox,
  IncomingReceipt,
  ReactionReceipt,
  RecallReceipt,
} from "../../networks/gateway.ts";
import {
  type CheckedMessage,
  type CheckedRecall,
  incomingMessage,
  incomingReaction,
  incomingRecall,
} from "../../networks/incoming.ts";
import type { Reacting } from "../../records/reactions.ts";
import { createAccountQueues } from "./account-queues.ts";
import { findByNetworkId, takeChange } from "./changes.ts";
import { listKnownRooms } from "./known-rooms.ts";
import type { MediaFetch } from "./media.ts";
import { receivedIds } from "./network-ids.ts";
import type { NetworkNames } from "../accounts/names.ts";
import type { NetworkPeople } from "./people.ts";
import { findAccount } from "../accounts/routes.ts";
import type { WaitForSends } from "./send-wait.ts";
import { mentionsIn } from "../../messages/mentions.ts";
import { asWritten } from "../../messages/recalls/recalled.ts";
import { settleSend } from "./settle.ts";

export interface GatewayReceiveDeps extends FindRoomDeps {
  readonly store: NetworkMessageStore;
  readonly people: NetworkPeople;
  readonly findUser: Parameters<typeof mentionsIn>[2];
  readonly names: Pick<NetworkNames, "note" | "known">;
  readonly openMedia: (gateway: string, groupId: number) => MediaFetch;
  readonly waitForSends: WaitForSends;
  readonly pinyin: { readonly text: (text: string) => string; readonly nickname: (name: string) => string };
  readonly limits: GatewaysLimits & SharedLimits;
  readonly tally: Pick<Tally, "unknownRooms">;
  /** Says that work is in progress. `assertOpen` throws once the instance is closing. */
  readonly work: { readonly begin: () => () => void; readonly assertOpen: () => void };
  readonly faults: GatewayFaults;
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
  /** Tells the members. Called in the order of the ids. */
  readonly publish: (record: MessageRecord, room: Room, origin: object | null, sent: string | null) => void;
  /** Recalls a message of a room, and tells the members. `operatorId`: the `userId` of a person of the network, or null. */
  readonly recall: (room: Room, messageId: number, operatorId: string | null) => Promise<"recalled" | "repeated">;
  /** Stores a reaction of a person of the network, and tells the members. */
  readonly react: (room: Room, messageId: number, by: Reacting) => Promise<"reacted" | "known">;
}

async function isKnown({ store }: GatewayReceiveDeps, groupId: number, network: NetworkIds): Promise<boolean> {
  const { account, messageIds, isSame } = network;
  for (const messageId of messageIds) {
    const existing = await store.findNetworkMessage({ account, groupId, messageId });
    if (existing !== null && isSame?.(existing, messageId) !== false) return true;
  }
  return false;
}

const hasMedia = ({ segments }: CheckedMessage): boolean =>
  segments.some(({ type, data }) => (type === "image" || type === "file") && data.open !== undefined);

/** The message with its pictures and files. Those of a stored message are not fetched again. */
async function build(
  deps: GatewayReceiveDeps,
  gateway: Gateway,
  { groupId, network }: Arrived,
  message: CheckedMessage,
): Promise<ReceivedMessage> {
  const isFetched = hasMedia(message) && !(await isKnown(deps, groupId, network));
  const media = isFetched ? deps.openMedia(gateway.name, groupId) : null;
  try {
    return await buildReceived(message.segments, {
      fetch: async (one) => media?.fetch(one) ?? null,
      nameOf: (ext) => deps.names.known(groupId, ext),
      findQuoted: (messageId) => findByNetworkId(deps, { account: message.account, groupId, messageId }),
    });
  } finally {
    media?.end();
  }
}

/** A received message, with its room and sender. */
interface Arrived {
  readonly groupId: number;
  readonly userId: string;
  readonly network: NetworkIds;
}

type Stored = Extract<MessageAppended, { readonly message: MessageRecord }> & { readonly origin?: object | null };

/** The message as it is stored, without what the store assigns. */
function recordOf(
  { pinyin, clock }: GatewayReceiveDeps,
  { userId, groupId }: Arrived,
  { messageId, sender, createTime }: CheckedMessage,
  { segments: received, type }: ReceivedMessage,
): MessageAppend["message"] {
  const segments = asWritten(received);
  const nickname = sender.name === "" ? sender.ext : sender.name;
  return {
    groupId,
    userId,
    external: true,
    type,
    content: JSON.stringify(segments),
    pinyin: JSON.stringify(toPinyin(segments, (text) => pinyin.text(text))),
    nickname,
    nicknamePinyin: pinyin.nickname(nickname),
    createTime,
    receiveTime: clock.now(),
    botMessageId: messageId,
    notice: null,
  };
}

async function storeReceived(
  deps: GatewayReceiveDeps,
  arrived: Arrived,
  message: CheckedMessage,
  received: ReceivedMessage,
): Promise<Stored> {
  const record = recordOf(deps, arrived, message, received);
  const { files, attachments, segments } = received;
  const room = await deps.rooms.find(arrived.groupId);
  const mentions = room === null ? null : await mentionsIn(segments, room, deps.findUser);
  const append = {
    message: { ...record, mentions },
    nonce: null,
    files,
    attachments,
    network: arrived.network,
    sent: null,
  };
  const appended = await deps.ordered(deps.store.append(append));
  if (!("message" in appended)) throw new TelexError("storage_unavailable");
  return appended;
}

/**
 * Checks a message of a gateway. Later functions trust the result.
 * @throws TelexError `invalid_request`
 */
function readMessage(message: unknown, limits: SharedLimits): CheckedMessage {
  const checked = parseInput({ input: incomingMessage }, message);
  return { ...checked, segments: [...keepSegments(checked.segments, limits)] };
}

const receiptOf = ({ outcome, message: { groupId, id } }: Stored): IncomingReceipt => ({
  outcome: outcome === "appended" ? "stored" : "known",
  groupId,
  messageId: id,
});

interface Origin {
  readonly gateway: Gateway;
  readonly account: GatewayAccount;
}

/** Settles the send that an own message is the echo of; null if the message is stored, or is not an echo. */
async function settleOwn(deps: GatewayReceiveDeps, { groupId, network }: Arrived, message: CheckedMessage) {
  // A bot that connects again may send many stored messages. They must not wait one after the other.
  if (await isKnown(deps, groupId, network)) return null;
  await deps.waitForSends({ account: message.account, groupId });
  return (await isKnown(deps, groupId, network)) ? null : await settleSend(deps, groupId, message);
}

/** Stores a received message. The echo of a message with an unknown outcome becomes that message. */
async function storeOnce(
  deps: GatewayReceiveDeps,
  { gateway, account }: Origin,
  { groupId }: GroupRecord,
  message: CheckedMessage,
): Promise<Stored> {
  const userId = await deps.people.userIdOf(account.network, message.sender.ext);
  deps.names.note(groupId, message.sender.ext, message.sender.name);
  const arrived = { groupId, userId, network: receivedIds(message, userId, deps) };
  const settled = message.isOwn ? await settleOwn(deps, arrived, message) : null;
  if (settled !== null) return settled;
  const received = await build(deps, gateway, arrived, message);
  return storeReceived(deps, arrived, message, received);
}

async function take(deps: GatewayReceiveDeps, origin: Origin, message: CheckedMessage): Promise<IncomingReceipt> {
  const { account } = origin;
  const room = (await findRoom(deps, account, message)) ?? (await addRoom(deps, account, message));
  if (room === null) {
    deps.tally.unknownRooms += 1;
    return { outcome: "unknown_room" };
  }
  const stored = await storeOnce(deps, origin, room.group, message);
  if (stored.outcome === "appended") deps.publish(stored.message, room, stored.origin ?? null, null);
  return receiptOf(stored);
}

/** @throws TelexError `not_found` if the gateway has no such account */
function findOwnAccount({ faults }: GatewayReceiveDeps, gateway: Gateway, account: string): GatewayAccount {
  const match = findAccount(gateway, account, faults);
  if (match === null) throw new TelexError("not_found", { reason: "account_unknown", params: { account } });
  return match;
}

/** Handles the events of each room of a network in order. */
function createArrivals(deps: GatewayReceiveDeps) {
  const rooms = createInTurn();
  const enterQueue = createAccountQueues(deps.limits.gatewayQueue);
  type Arrival = Pick<CheckedRecall, "account" | "room">;

  const arrive = <Given extends Arrival, Receipt>(
    gateway: Gateway,
    received: Given,
    run: (origin: Origin, given: Given) => Promise<Receipt>,
  ): Promise<Receipt> => {
    const account = findOwnAccount(deps, gateway, received.account);
    const leave = enterQueue(received.account);
    const end = deps.work.begin();
    const key = JSON.stringify([received.account, received.room.kind, received.room.ext]);
    return rooms
      .run(key, () => run({ gateway, account }, received))
      .finally(() => {
        leave();
        end();
      });
  };
  return {
    message: (gateway: Gateway, message: unknown): Promise<IncomingReceipt> =>
      arrive(gateway, readMessage(message, deps.limits), (origin, received) => take(deps, origin, received)),
    recall: (gateway: Gateway, recall: unknown): Promise<RecallReceipt> =>
      arrive(gateway, parseInput({ input: incomingRecall }, recall), ({ account }, received) =>
        takeChange(deps, account, received, async (room, { id }, { operator }) => {
          const operatorId = operator === null ? null : await deps.people.userIdOf(account.network, operator);
          return (await deps.recall(room, id, operatorId)) === "repeated" ? "known" : "recalled";
        }),
      ),
    react: (gateway: Gateway, reaction: unknown): Promise<ReactionReceipt> =>
      arrive(gateway, parseInput({ input: incomingReaction }, reaction), ({ account }, received) =>
        takeChange(deps, account, received, async (room, { id }, { operator, emoji, isRemoval }) => {
          const userId = await deps.people.userIdOf(account.network, operator);
          const nickname = deps.names.known(room.group.groupId, operator) || operator;
          return deps.react(room, id, { userId, nickname, emoji, isRemoval });
        }),
      ),
  };
}

export function createGatewayReceive(deps: GatewayReceiveDeps): (gateway: Gateway) => GatewayInbox {
  const arrivals = createArrivals(deps);
  /** A storage that breaks its contract must not make the gateway reject with an error that the gateway does not expect. */
  const checked = async <T>(gateway: Gateway, step: string, run: () => Promise<T>): Promise<T> => {
    try {
      deps.work.assertOpen();
      return await run();
    } catch (cause) {
      if (!TelexError.is(cause)) deps.faults.failed(gateway.name, step, cause);
      throw TelexError.from(cause);
    }
  };
  const reported = async <Receipt>(gateway: Gateway, event: string, run: () => Promise<Receipt>): Promise<Receipt> => {
    try {
      return await checked(gateway, event, run);
    } catch (cause) {
      deps.faults.refused(event, { gateway: gateway.name, code: TelexError.from(cause).code });
      throw cause;
    }
  };
  return (gateway) => ({
    receive: (message) => reported(gateway, "gateway.message_refused", () => arrivals.message(gateway, message)),
    recall: (recall) => reported(gateway, "gateway.recall_refused", () => arrivals.recall(gateway, recall)),
    react: (reaction) => reported(gateway, "gateway.reaction_refused", () => arrivals.react(gateway, reaction)),
    listRooms: (account) =>
      checked(gateway, "listRooms", async () => listKnownRooms(deps.groups, findOwnAccount(deps, gateway, account))),
  });
}
