import { z } from "zod";
import { groupRecord } from "../groups/record.ts";
import { flag, integer, integerOrNull, text, textOrNull } from "../storage/record-fields.ts";
import { TransferError } from "./error.ts";
import { tokenRecord, userRecord } from "../users/record.ts";
import { counterNames, type RecordKind, type Records } from "./records.ts";

/** One schema per kind. What comes from a file has to be read as what it claims to be. */
const schemas = {
  users: userRecord,
  tokens: tokenRecord,
  groups: groupRecord,
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
  deviceGenerations: z.strictObject({ deviceId: text, generation: integer }),
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
    unusedUntil: integer,
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
  messageFiles: z.strictObject({ groupId: integer, seq: integer, position: integer, relativePath: text }),
  networkPeople: z.strictObject({ number: integer, network: text, ext: text }),
  botMessages: z.strictObject({ account: text, botMessageId: text, groupId: integer, seq: integer }),
  codes: z.strictObject({ digest: text, storageId: text, expiresAt: integer, used: flag }),
  uploadShares: z.strictObject({ uploader: integer, until: integer, bytes: integer }),
  allocations: z.strictObject({
    userId: integer,
    unit: z.literal(["count", "token"]),
    max: integer,
    period: z.literal(["daily", "weekly", "monthly"]),
  }),
  usage: z.strictObject({ userId: integer, day: text, replies: integer, tokens: integer, started: integer }),
  reservations: z.strictObject({
    reservationId: text,
    userId: integer,
    day: text,
    replies: integer,
    tokens: integer,
    started: integer,
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

/** All fields of a kind, in the order in which they are written. */
export const recordFields = (kind: RecordKind): readonly string[] => Object.keys(schemas[kind].shape);

/** What a value of a field is, for a store that has neither flags nor lists. */
export type RecordForm = "flag" | "texts" | "plain";

function formOf(type: unknown): RecordForm {
  if (type instanceof z.ZodReadonly) return formOf(type.unwrap());
  if (type instanceof z.ZodBoolean) return "flag";
  return type instanceof z.ZodArray ? "texts" : "plain";
}

/** The form of each field of a kind, in the order in which they are written. */
export const recordForms = (kind: RecordKind): ReadonlyMap<string, RecordForm> =>
  new Map(Object.entries(schemas[kind].shape).map(([field, type]) => [field, formOf(type)]));

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
