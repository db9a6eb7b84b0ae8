import type { Allocation, ConversationMessageRecord, ConversationRecord, Reservation, Usage } from "../ai/store.ts";
import type { AttachmentRecord, CodeRecord, FileRecord, UploadShare } from "../bucket/store.ts";
import { everyOf } from "../contract/every-of.ts";
import type { GroupRecord, MemberRecord } from "../groups/store.ts";
import type { MessageRecord, NetworkPerson } from "../messages/store.ts";
import type { PairingRecord } from "../pairing/store.ts";
import type { DeviceMessageRecord, DeviceRecord } from "../teleprinter/store.ts";
import type { Day } from "../time/zone.ts";
import type { TokenRecord, UserRecord } from "../users/store.ts";

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
  /** The generation of a device ID, where it was raised: also of an ID that is free. */
  readonly deviceGenerations: { readonly deviceId: string; readonly generation: number };
  /** The message `id` that came with a nonce, at `at` (Unix milliseconds). */
  readonly deviceNonces: {
    readonly deviceId: string;
    readonly fromDevice: boolean;
    readonly nonce: string;
    readonly id: number;
    readonly at: number;
  };
  /** `unusedUntil`: Unix milliseconds until which the file is kept if no message uses it. */
  readonly files: FileRecord & { readonly unusedUntil: number };
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
  /** The path of an attachment of a message: `position` 0 is the first one. */
  readonly messageFiles: {
    readonly groupId: number;
    readonly seq: number;
    readonly position: number;
    readonly relativePath: string;
  };
  readonly networkPeople: NetworkPerson;
  /** The place of a message that an account of an external network knows under this id. A message may have several. */
  readonly botMessages: {
    readonly account: string;
    readonly botMessageId: string;
    readonly groupId: number;
    readonly seq: number;
  };
  readonly codes: CodeRecord;
  readonly uploadShares: UploadShare;
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
  "networkPerson",
  "token",
  "user",
] as const;

/** One word of {@link counterNames}. */
export type CounterName = (typeof counterNames)[number];

/**
 * Every kind, in an order in which no record names one of a later kind: a room before its members, a file before its
 * attachments, a message before its nonce. Counters come last.
 */
export const recordKinds = everyOf<RecordKind>()([
  "users",
  "tokens",
  "groups",
  "members",
  "devices",
  "deviceGenerations",
  "deviceMessages",
  "deviceNonces",
  "files",
  "uploads",
  "attachments",
  "messages",
  "messageNonces",
  "messageFiles",
  "botMessages",
  "networkPeople",
  "codes",
  "uploadShares",
  "allocations",
  "usage",
  "reservations",
  "conversations",
  "conversationMessages",
  "pairings",
  "counters",
]);

/** The fields by which a kind is told apart and sorted, the most significant first. */
export const recordKeys: { readonly [Kind in RecordKind]: readonly (keyof Records[Kind] & string)[] } = {
  users: ["userId"],
  tokens: ["tokenId"],
  groups: ["groupId"],
  members: ["groupId", "userId"],
  devices: ["deviceId"],
  deviceGenerations: ["deviceId"],
  deviceMessages: ["deviceId", "id"],
  deviceNonces: ["deviceId", "fromDevice", "nonce"],
  files: ["md5"],
  uploads: ["md5", "userId"],
  attachments: ["relativePath"],
  messages: ["groupId", "seq"],
  messageNonces: ["groupId", "userId", "external", "nonce"],
  messageFiles: ["groupId", "seq", "position"],
  botMessages: ["account", "botMessageId"],
  networkPeople: ["number"],
  codes: ["digest"],
  uploadShares: ["uploader", "until"],
  allocations: ["userId"],
  usage: ["userId", "day"],
  reservations: ["reservationId"],
  conversations: ["id"],
  conversationMessages: ["conversationId", "id"],
  pairings: ["secretDigest"],
  counters: ["name"],
};
