import { z } from "zod";
import type { Allocation, ConversationMessageRecord, ConversationRecord, Reservation, Usage } from "../ai/store.ts";
import type { AttachmentRecord, CodeRecord, FileRecord } from "../bucket/store.ts";
import { groupTypes } from "../groups/group-type.ts";
import type { GroupRecord, MemberRecord } from "../groups/store.ts";
import type { MessageRecord } from "../messages/store.ts";
import type { PairingRecord } from "../teleprinter/pairing-store.ts";
import type { DeviceMessageRecord, DeviceRecord } from "../teleprinter/store.ts";
import type { Day } from "../time.ts";
import type { TokenRecord, UserRecord } from "../users/store.ts";
import { TransferError } from "./error.ts";

/**
 * Everything that a storage keeps, by kind: what is enough to build the same storage elsewhere. What other processes want
 * to know (`changes`), and who holds which texts, is not among it: nobody works on a storage that is moved.
 */
export interface Records {
  readonly users: UserRecord;
  readonly tokens: TokenRecord;
  readonly groups: GroupRecord;
  readonly members: MemberRecord & { readonly groupId: number };
  readonly devices: DeviceRecord;
  readonly deviceMessages: DeviceMessageRecord;
  /** The message `id` that came with a nonce, at `at` (Unix milliseconds). */
  readonly deviceNonces: {
    readonly deviceId: string;
    readonly fromDevice: boolean;
    readonly nonce: string;
    readonly id: number;
    readonly at: number;
  };
  /** `putAt`: Unix milliseconds of the last upload, from which an unused file is swept. */
  readonly files: FileRecord & { readonly putAt: number };
  /** Who may use a file in a message. */
  readonly uploads: { readonly md5: string; readonly userId: number };
  readonly attachments: AttachmentRecord;
  readonly messages: MessageRecord;
  /** The place `seq` in its room of the message that came with a nonce, at `at` (Unix milliseconds). */
  readonly messageNonces: {
    readonly groupId: number;
    readonly userId: string;
    readonly external: boolean;
    readonly nonce: string;
    readonly fingerprint: string;
    readonly seq: number;
    readonly at: number;
  };
  /** The place of the message that a bot knows under an id of its own. */
  readonly botMessages: {
    readonly account: string;
    readonly botMessageId: string;
    readonly groupId: number;
    readonly seq: number;
  };
  readonly codes: CodeRecord;
  readonly allocations: Allocation & { readonly userId: number };
  readonly usage: Usage & { readonly userId: number; readonly day: Day };
  readonly reservations: Reservation;
  readonly conversations: ConversationRecord;
  readonly conversationMessages: ConversationMessageRecord;
  readonly pairings: PairingRecord;
  /** The greatest id that was ever given, 0 for none. */
  readonly counters: { readonly name: CounterName; readonly value: number };
}

/** A kind of record. */
export type RecordKind = keyof Records;

/** What is numbered. Of `counters` a storage always has all of these. */
export const counterNames = [
  "conversation",
  "conversationMessage",
  "deviceMessage",
  "group",
  "message",
  "token",
  "user",
] as const;

/** One word of {@link counterNames}. */
export type CounterName = (typeof counterNames)[number];

const integer = z.int();
const text = z.string();
const integerOrNull = integer.nullable();
const textOrNull = text.nullable();
const flag = z.boolean();

/** One schema per kind. What comes from a file has to be read as what it claims to be. */
const schemas = {
  users: z.strictObject({
    userId: integer,
    nickname: text,
    ext: textOrNull,
    phone: textOrNull,
    avatar: textOrNull,
    createdAt: integer,
  }),
  tokens: z.strictObject({
    tokenId: integer,
    userId: integer,
    digest: text,
    scopes: z.array(text),
    createdAt: integer,
    expiresAt: integerOrNull,
    revokedAt: integerOrNull,
  }),
  groups: z.strictObject({
    groupId: integer,
    groupType: z.literal(Object.values(groupTypes)),
    name: text,
    ext: textOrNull,
    bot: textOrNull,
    createdAt: integer,
  }),
  members: z.strictObject({ groupId: integer, userId: integer, card: textOrNull }),
  devices: z.strictObject({
    deviceId: text,
    name: text,
    owner: integer,
    createdAt: integer,
    lastSeen: integer,
    away: flag,
    ai: textOrNull,
  }),
  deviceMessages: z.strictObject({
    deviceId: text,
    id: integer,
    direction: z.literal(["to_device", "from_device"]),
    content: text,
    delivered: flag,
    createdAt: integer,
  }),
  deviceNonces: z.strictObject({ deviceId: text, fromDevice: flag, nonce: text, id: integer, at: integer }),
  files: z.strictObject({
    md5: text,
    sha256: text,
    size: integer,
    mime: text,
    ext: text,
    blobId: text,
    createdAt: integer,
    usedAt: integerOrNull,
    putAt: integer,
  }),
  uploads: z.strictObject({ md5: text, userId: integer }),
  attachments: z.strictObject({ relativePath: text, md5: text, name: text }),
  messages: z.strictObject({
    groupId: integer,
    seq: integer,
    id: integer,
    userId: text,
    external: flag,
    type: z.literal([0, 1, 2, 3]),
    content: text,
    pinyin: text,
    nickname: text,
    nicknamePinyin: text,
    createTime: integer,
    receiveTime: integer,
    botMessageId: textOrNull,
  }),
  messageNonces: z.strictObject({
    groupId: integer,
    userId: text,
    external: flag,
    nonce: text,
    fingerprint: text,
    seq: integer,
    at: integer,
  }),
  botMessages: z.strictObject({ account: text, botMessageId: text, groupId: integer, seq: integer }),
  codes: z.strictObject({ digest: text, storageId: text, expiresAt: integer, used: flag }),
  allocations: z.strictObject({
    userId: integer,
    unit: z.literal(["count", "token"]),
    max: integer,
    period: z.literal(["daily", "weekly", "monthly"]),
  }),
  usage: z.strictObject({ userId: integer, day: text, replies: integer, tokens: integer }),
  reservations: z.strictObject({
    reservationId: text,
    userId: integer,
    day: text,
    replies: integer,
    tokens: integer,
    expiresAt: integer,
  }),
  conversations: z.strictObject({
    id: integer,
    userId: integer,
    title: text,
    status: z.literal([0, 1]),
    defaultModel: text,
    lastMessage: integer,
    totalToken: integer,
  }),
  conversationMessages: z.strictObject({
    conversationId: integer,
    id: integer,
    role: z.literal(["user", "assistant"]),
    content: text,
    model: text,
    finishReason: textOrNull,
    createdAt: integer,
  }),
  pairings: z.strictObject({
    secretDigest: text,
    codeDigest: text,
    deviceId: text,
    name: text,
    expiresAt: integer,
    userId: integerOrNull,
    confirmed: flag,
  }),
  counters: z.strictObject({ name: z.literal(counterNames), value: integer }),
} satisfies { readonly [Kind in RecordKind]: z.ZodType<Records[Kind]> };

const readers: { readonly [Kind in RecordKind]: z.ZodType<Records[Kind]> } = schemas;

/**
 * Every kind, in an order in which no record names one of a later kind: a room before its members, a file before its
 * attachments, a message before its nonce. Counters come last.
 */
export const recordKinds = [
  "users",
  "tokens",
  "groups",
  "members",
  "devices",
  "deviceMessages",
  "deviceNonces",
  "files",
  "uploads",
  "attachments",
  "messages",
  "messageNonces",
  "botMessages",
  "codes",
  "allocations",
  "usage",
  "reservations",
  "conversations",
  "conversationMessages",
  "pairings",
  "counters",
] as const satisfies readonly RecordKind[];

/** The fields by which a kind is told apart and sorted, the most significant first. */
export const recordKeys: { readonly [Kind in RecordKind]: readonly (keyof Records[Kind] & string)[] } = {
  users: ["userId"],
  tokens: ["tokenId"],
  groups: ["groupId"],
  members: ["groupId", "userId"],
  devices: ["deviceId"],
  deviceMessages: ["deviceId", "id"],
  deviceNonces: ["deviceId", "fromDevice", "nonce"],
  files: ["md5"],
  uploads: ["md5", "userId"],
  attachments: ["relativePath"],
  messages: ["groupId", "seq"],
  messageNonces: ["groupId", "userId", "external", "nonce"],
  botMessages: ["account", "botMessageId"],
  codes: ["digest"],
  allocations: ["userId"],
  usage: ["userId", "day"],
  reservations: ["reservationId"],
  conversations: ["id"],
  conversationMessages: ["conversationId", "id"],
  pairings: ["secretDigest"],
  counters: ["name"],
};

/** All fields of a kind, in the order in which they are written. */
export const recordFields = (kind: RecordKind): readonly string[] => Object.keys(schemas[kind].shape);

/**
 * Reads a record of a kind, with no field missing and none too many.
 * @throws TransferError `invalid_record`, with the path of what is wrong
 */
export function parseRecord<Kind extends RecordKind>(kind: Kind, value: unknown): Records[Kind] {
  const parsed = readers[kind].safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw new TransferError("invalid_record", `A record of ${kind} is not one${where}: ${issue?.message ?? "unknown"}.`);
}
