import type { FileRecord } from "@telex/files/records";
import { createHash } from "node:crypto";
import type { z } from "zod";
import type { GatewaySends } from "../networks/sending.ts";
import type { RoomsOfMessages } from "./rooms.ts";
import type { Room, GroupRecord } from "../records/groups.ts";
import type { MessagesLimits } from "./limits.ts";
import type { UserRecord } from "../records/users.ts";
import type { MessagesContract, NoticeView, SegmentInput } from "./contract.ts";
import type { Order } from "./order/order.ts";
import type { Pinyin } from "@telex/search-terms";
import { routeOf, deviceOf, type TokenHolder, type CallContext, type SharedLimits } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Clock } from "@telex/ground/time";
import type { Slot, Slots } from "./order/slots.ts";
import { type BuiltMessage, buildMessage, type Mention, readSegments, type SegmentSources } from "./segments.ts";
import { everybody, toPinyin } from "../records/segments.ts";
import type { MessageStore } from "./store.ts";
import type { MessageAppend, MessageAppended } from "../records/message-append.ts";
import { mentionsIn } from "./mentions.ts";
import { asWritten } from "./recalls/recalled.ts";
import type { MessageRecord } from "../records/messages.ts";
import type { MessageTools } from "../records/tool-use.ts";

export interface SendDeps {
  readonly store: MessageStore;
  readonly rooms: RoomsOfMessages;
  readonly findUser: (userId: number) => Promise<UserRecord | null>;
  readonly findUserByExt: (ext: string) => Promise<UserRecord | null>;
  readonly findUploads: (userId: number, md5s: readonly string[]) => Promise<readonly FileRecord[]>;
  readonly gateways: Pick<GatewaySends, "deliver">;
  /** The name of a person in a room of an external network, in bounded time; `""` in any other room. */
  readonly nameInNetwork: (group: GroupRecord, ext: string) => Promise<string>;
  readonly pinyin: Pinyin;
  readonly slots: Slots;
  readonly clock: Clock;
  readonly limits: MessagesLimits & SharedLimits;
  /**
   * Publishes a message to the members, the plug-ins, the models and the printers. Called in the order of the ids, by the server that has
   * stored the message. `sent`: the id in the outbox of a message that another server may have accepted.
   */
  readonly publish: (record: MessageRecord, room: Room, origin: object | null, sent: string | null) => void;
  /** Offers a message that was sent here and that another server has stored and published. */
  readonly storedElsewhere: Order["offer"];
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
}

export const noSources: SegmentSources = {
  files: new Map(),
  mentionOf: () => ({ ext: "", name: "" }),
  replies: new Map(),
  isExternal: false,
};

/**
 * The room and the sender of a message that a server posts.
 * @throws TelexError `group_not_found`, `user_not_found`
 */
export async function partiesOf({ rooms, findUser }: SendDeps, groupId: number, userId: number) {
  const [room, sender] = [await rooms.find(groupId), await findUser(userId)];
  if (room === null) throw new TelexError("group_not_found");
  if (sender === null) throw new TelexError("user_not_found");
  return { room, sender };
}

type SendInput = z.output<MessagesContract["send"]["input"]> & { readonly tools?: MessageTools | undefined };
type SendOutput = z.output<MessagesContract["send"]["output"]>;

/** The member whom a mention means: with this ID in the network, or, in a room that is stored here, also with this user id. */
async function mentioned(deps: SendDeps, { group }: Room, ext: string): Promise<UserRecord | null> {
  const bound = await deps.findUserByExt(ext);
  const isId = bound === null && routeOf(group.groupType) === "store" && /^[1-9]\d{0,15}$/.test(ext);
  return isId ? deps.findUser(Number(ext)) : bound;
}

/** An ID of the network is a text, that of a user a number. */
const keyOf = (data: Mention): string | number => ("ext" in data ? data.ext : data.userId);

/** @throws TelexError `user_not_found` for a user who is not a member of the room */
async function findMention(deps: SendDeps, room: Room, data: Mention) {
  const user = await ("ext" in data ? mentioned(deps, room, data.ext) : deps.findUser(data.userId));
  const member = user === null ? undefined : room.members.get(user.userId);
  if (member === undefined && "userId" in data) throw new TelexError("user_not_found");
  const ext = "ext" in data ? data.ext : (user?.ext ?? "");
  const name = member === undefined ? await deps.nameInNetwork(room.group, ext) : (member.card ?? user?.nickname ?? "");
  return { ext, name, ...(ext === "" && user !== null && { userId: String(user.userId) }) };
}

async function mentionsOf(deps: SendDeps, room: Room, segments: readonly SegmentInput[]) {
  const named = new Map(segments.flatMap(({ type, data }) => (type === "at" ? [[keyOf(data), data]] : [])));
  named.delete(everybody.ext);
  // All of them together: a network may take its time for each.
  const mentions = await Promise.all(
    Array.from(named, async ([key, data]) => [key, await findMention(deps, room, data)] as const),
  );
  return new Map<string | number, ReturnType<SegmentSources["mentionOf"]>>([[everybody.ext, everybody], ...mentions]);
}

async function repliesOf(deps: SendDeps, groupId: number, segments: readonly SegmentInput[]) {
  const replies = new Map<number, MessageRecord>();
  for (const segment of segments) {
    if (segment.type !== "reply") continue;
    const message = await deps.store.findMessage(groupId, segment.data.messageId);
    if (message !== null) replies.set(message.id, message);
  }
  return replies;
}

export async function sourcesOf(
  deps: SendDeps,
  room: Room,
  userId: number,
  segments: readonly SegmentInput[],
): Promise<SegmentSources> {
  const md5s = segments.flatMap(({ type, data }) => (type === "image" || type === "file" ? [data.file_id] : []));
  const uploads = md5s.length === 0 ? [] : await deps.findUploads(userId, [...new Set(md5s)]);
  const mentions = await mentionsOf(deps, room, segments);
  return {
    files: new Map(uploads.map((file) => [file.md5, file])),
    mentionOf: (data) => mentions.get(keyOf(data)) ?? { ext: "", name: "" },
    replies: await repliesOf(deps, room.group.groupId, segments),
    isExternal: routeOf(room.group.groupType) !== "store",
  };
}

const fingerprintOf = (segments: readonly SegmentInput[]): string =>
  createHash("sha256").update(JSON.stringify(segments)).digest("hex");

const nonceOf = (
  { limits }: SendDeps,
  { nonce }: SendInput,
  segments: readonly SegmentInput[],
): MessageAppend["nonce"] =>
  nonce === undefined ? null : { value: nonce, fingerprint: fingerprintOf(segments), life: limits.nonceLife };

interface Prepared {
  readonly room: Room;
  readonly sender: UserRecord;
  readonly message: BuiltMessage;
  /** The change that the message says; null for a message of the sender. */
  readonly notice: NoticeView | null;
  readonly mentions: string | null;
  /** True for a text that a plug-in posts. Default: false. */
  readonly isPosted?: true;
  /** False if questions about tools do not reach the sender. Default: true. */
  readonly canAnswer?: false | undefined;
  /** The application that wrote it for the sender. Default: none. */
  readonly via?: string | undefined;
  readonly tools?: MessageTools | undefined;
}

/** The message as it is stored, without the fields that the store assigns. */
function recordOf(
  { clock, pinyin }: SendDeps,
  { room, sender, message, notice, mentions, isPosted, canAnswer, via, tools }: Prepared,
): MessageAppend["message"] {
  const now = clock.now();
  const segments = asWritten(message.segments);
  return {
    groupId: room.group.groupId,
    userId: String(sender.userId),
    external: false,
    type: message.type,
    content: JSON.stringify(segments),
    pinyin: JSON.stringify(toPinyin(segments, (text) => pinyin.text(text))),
    nickname: sender.nickname,
    nicknamePinyin: pinyin.nickname(sender.nickname),
    createTime: now,
    receiveTime: now,
    botMessageId: null,
    notice: notice === null ? null : JSON.stringify(notice),
    mentions,
    ...((isPosted ?? canAnswer ?? via ?? tools) !== undefined && {
      extras: JSON.stringify({ isPosted, canAnswer, via, tools }),
    }),
  };
}

type Stored = Extract<MessageAppended, { readonly outcome: "appended" | "repeated" }>;

/** The nonce of a message, and the connection or device that does not get it. */
interface Sending {
  readonly nonce: MessageAppend["nonce"];
  readonly origin: object | null;
}

function assertStored(appended: MessageAppended): asserts appended is Stored {
  if (appended.outcome === "nonce_conflict") throw new TelexError("nonce_conflict");
  if (appended.outcome === "file_missing")
    throw new TelexError("file_not_found", { reason: "file_foreign", params: { file_id: appended.md5 } });
}

export async function storeMessage(
  deps: SendDeps,
  prepared: Prepared,
  { nonce, origin }: Sending,
): Promise<MessageRecord> {
  const { files, attachments } = prepared.message;
  const append = { message: recordOf(deps, prepared), nonce, files, attachments, network: null, sent: null };
  const appended = await deps.ordered(deps.store.append(append));
  assertStored(appended);
  const { outcome, message: stored } = appended;
  if (outcome === "appended") deps.publish(stored, prepared.room, origin, null);
  return stored;
}

export async function post(deps: SendDeps, prepared: Prepared): Promise<void> {
  await storeMessage(deps, prepared, { nonce: null, origin: null });
}

async function prepare(
  deps: SendDeps,
  { userId, canAnswer }: TokenHolder,
  input: SendInput,
  segments: readonly SegmentInput[],
): Promise<Prepared> {
  const sender = await deps.findUser(userId);
  if (sender === null) throw new TelexError("user_not_found");
  const room = await deps.rooms.enter({ ...input, userId });
  if (room.group.archived) throw new TelexError("archived");
  const isPlain = segments.every(({ type }) => type === "text");
  const sources = isPlain ? noSources : await sourcesOf(deps, room, userId, segments);
  const message = buildMessage(segments, sources);
  const mentions = await mentionsIn(message.segments, room, deps.findUser);
  return { room, sender, message, notice: null, mentions, canAnswer, via: input.via?.name, tools: input.tools };
}

/** Stores a message, after the network of its room has it if the room stands for one. */
function deliver(deps: SendDeps, prepared: Prepared, sending: Sending): Promise<MessageRecord> {
  const { room, sender, message } = prepared;
  const { group } = room;
  const { nonce, origin } = sending;
  if (routeOf(group.groupType) === "store") return storeMessage(deps, prepared, sending);
  return deps.gateways.deliver({
    group,
    userId: String(sender.userId),
    nonce,
    kept: { ...message, message: recordOf(deps, prepared), deviceId: deviceOf(origin) },
    origin,
    storedElsewhere: (record) => deps.storedElsewhere({ record, room, origin }),
  });
}

interface Begin {
  readonly holder: TokenHolder;
  readonly input: SendInput;
  readonly slot: Slot;
  readonly origin: object | null;
}

/** Prepares a message, and begins to store it when those before it at its slot have begun. Leaves the slot. */
async function begin(deps: SendDeps, { holder, input, slot, origin }: Begin) {
  try {
    const segments = readSegments(input.message, deps.limits);
    const prepared = await prepare(deps, holder, input, segments);
    await slot.reached();
    return { storing: deliver(deps, prepared, { nonce: nonceOf(deps, input, segments), origin }) };
  } finally {
    slot.leave();
  }
}

/**
 * Sends a message to a chat room (interface 4.8). Resolves when it is durable. Messages that one connection sends to one room
 * may be in progress simultaneously: they are stored in the order of the calls.
 */
export async function send(
  deps: SendDeps,
  holder: TokenHolder,
  input: SendInput,
  { origin }: CallContext,
): Promise<SendOutput> {
  const slot = deps.slots.take(origin, input.groupId);
  const { storing } = await begin(deps, { holder, input, slot, origin: origin ?? null });
  const { createTime, id } = await storing;
  return { createTime, messageId: id };
}
