import { z } from "zod";
import {
  accountRecord,
  artifactRecord,
  clientRecord,
  grantRecord,
  identityRecord,
  keyRecord,
  passkeyRecord,
} from "../records/accounts.ts";
import {
  allocationRecord,
  conversationMessageRecord,
  conversationRecord,
  reservationRecord,
  usageRecord,
} from "../records/ai.ts";
import {
  attachmentRecord,
  codeRecord,
  fileRecord,
  fileUseRecord,
  uploadRecord,
  uploadShareRecord,
} from "@telex/files/records";
import { botRecord } from "../records/gateways.ts";
import { groupRecord, memberRecord } from "../records/groups.ts";
import {
  botMessageRecord,
  messageFileRecord,
  messageNonceRecord,
  messageRecallRecord,
  messageRecord,
  networkPersonRecord,
  outboxRecord,
  readMarkerRecord,
} from "../records/messages.ts";
import { pairingRecord } from "../records/pairing.ts";
import { integer } from "@telex/ground/records";
import {
  deviceGenerationRecord,
  deviceMessageRecord,
  deviceNonceRecord,
  deviceRecord,
  deviceScheduleRecord,
} from "../records/teleprinter.ts";
import { tokenRecord, userRecord } from "../records/users.ts";

/** The counters. A storage always has all of them. */
export const counterNames = [
  "conversation",
  "conversationMessage",
  "deviceMessage",
  "group",
  "message",
  "networkPerson",
  "token",
  "user",
] as const;

/** One word of {@link counterNames}. */
export type CounterName = (typeof counterNames)[number];

/** The greatest id that was ever given, 0 for none. */
const counterRecord = z.strictObject({ name: z.literal(counterNames), value: integer });

/** A kind: the fields of its records, and the fields that tell them apart and sort them, the most significant first. */
const describe = <Schema extends z.ZodObject>(
  schema: Schema,
  ...key: readonly (keyof z.output<Schema> & string)[]
): { readonly schema: Schema; readonly key: readonly string[] } => ({ schema, key });

/**
 * Every kind, in an order in which no record names one of a later kind: a room before its members, a file before its
 * attachments, a message before its nonce. Counters come last.
 */
export const descriptions = {
  users: describe(userRecord, "userId"),
  tokens: describe(tokenRecord, "tokenId"),
  accounts: describe(accountRecord, "userId"),
  passkeys: describe(passkeyRecord, "credentialId"),
  identities: describe(identityRecord, "issuer", "subject"),
  clients: describe(clientRecord, "clientId"),
  grants: describe(grantRecord, "grantId"),
  artifacts: describe(artifactRecord, "model", "digest"),
  keys: describe(keyRecord, "name"),
  groups: describe(groupRecord, "groupId"),
  members: describe(memberRecord, "groupId", "userId"),
  devices: describe(deviceRecord, "deviceId"),
  deviceGenerations: describe(deviceGenerationRecord, "deviceId"),
  deviceMessages: describe(deviceMessageRecord, "deviceId", "id"),
  deviceNonces: describe(deviceNonceRecord, "deviceId", "fromDevice", "nonce"),
  deviceSchedules: describe(deviceScheduleRecord, "deviceId", "id"),
  files: describe(fileRecord, "md5"),
  uploads: describe(uploadRecord, "md5", "userId"),
  attachments: describe(attachmentRecord, "relativePath"),
  messages: describe(messageRecord, "groupId", "seq"),
  messageNonces: describe(messageNonceRecord, "groupId", "userId", "external", "nonce"),
  messageFiles: describe(messageFileRecord, "groupId", "seq", "position"),
  readMarkers: describe(readMarkerRecord, "groupId", "userId"),
  messageRecalls: describe(messageRecallRecord, "groupId", "id"),
  fileUses: describe(fileUseRecord, "md5", "groupId", "seq"),
  botMessages: describe(botMessageRecord, "account", "botMessageId", "groupId"),
  networkPeople: describe(networkPersonRecord, "number"),
  outbox: describe(outboxRecord, "id"),
  bots: describe(botRecord, "account"),
  codes: describe(codeRecord, "digest"),
  uploadShares: describe(uploadShareRecord, "uploader", "until"),
  allocations: describe(allocationRecord, "userId"),
  usage: describe(usageRecord, "userId", "day"),
  reservations: describe(reservationRecord, "reservationId"),
  conversations: describe(conversationRecord, "id"),
  conversationMessages: describe(conversationMessageRecord, "conversationId", "id"),
  pairings: describe(pairingRecord, "secretDigest"),
  counters: describe(counterRecord, "name"),
};

/** A kind of record. */
export type RecordKind = keyof typeof descriptions;

/**
 * All records of a storage, by kind: enough to build the same storage elsewhere. Changes for other processes (`changes`) and holds of
 * texts are left out, because no server uses a storage that is moved.
 */
export type Records = {
  readonly [Kind in RecordKind]: Readonly<z.output<(typeof descriptions)[Kind]["schema"]>>;
};

const isKind = (name: string): name is RecordKind => Object.hasOwn(descriptions, name);

/** Every kind, in an order in which no record names one of a later kind. */
export const recordKinds: readonly RecordKind[] = Object.keys(descriptions).filter(isKind);

/** The fields that identify and sort the records of a kind, the most significant first. */
export const recordKey = (kind: RecordKind): readonly string[] => descriptions[kind].key;
