export type {
  AiStore,
  Allocation,
  ConversationKey,
  ConversationMessageRecord,
  ConversationRecord,
  DayRange,
  Reservation,
  Settlement,
  Turn,
  Usage,
} from "../ai/store.ts";
export { parseSettlement } from "../ai/record.ts";
export type { BlobEntry, BlobStore } from "../bucket/blobs.ts";
export type { ByteRange, ByteStream } from "../bucket/contract.ts";
export { DamagedBlobError } from "../bucket/damaged-blob.ts";
export type {
  AttachmentRecord,
  BucketStore,
  CodeRecord,
  FileExpiry,
  FilePut,
  FilePutResult,
  FileRecord,
  UploadReservation,
  UploadShare,
  UploadsPage,
} from "../bucket/store.ts";
export type { BotChange, BotConflict, BotRecord, BotStore } from "../gateways/store.ts";
export { groupTypes } from "../groups/group-type.ts";
export type { GroupType } from "../groups/group-type.ts";
export type { GroupChange, GroupRecord, GroupStore, MemberRecord } from "../groups/store.ts";
export type { Claim, LeaseKey, LeaseRecord, LeaseStore } from "../leases/store.ts";
export { NewestFirst } from "../messages/search/newest-first.ts";
export type {
  MessagePlace,
  MessageSearch,
  MessageSearchStore,
  MessagesFound,
  MessageTerms,
} from "../messages/search/store.ts";
export type { MessageOutboxStore, SendClaim, SendClaimed, SendKey } from "../messages/outbox-store.ts";
export type {
  MarkedRead,
  MessageAppend,
  MessageAppended,
  MessagePage,
  MessageRecall,
  MessageRecalled,
  MessageRecord,
  MessagesSince,
  MessageStore,
  NetworkId,
  NetworkIds,
  NetworkPerson,
  OutboxRecord,
  Recall,
  RecallRecord,
  RoomReading,
} from "../messages/store.ts";
export type { PairingRecord, PairingStore } from "../pairing/store.ts";
export type {
  DeviceAppend,
  DeviceAppended,
  DeviceClaim,
  DeviceClaimed,
  DeviceKey,
  DeviceMessageRecord,
  DeviceRecord,
  DeviceRefusal,
  DeviceTake,
  Direction,
  TeleprinterStore,
} from "../teleprinter/store.ts";
export type { Day } from "../time/zone.ts";
export { compareKeys, keyOf } from "../transfer/key.ts";
export type { RecordKey } from "../transfer/key.ts";
export { counterNames, recordKey, recordKinds } from "../transfer/records.ts";
export type { CounterName, RecordKind, Records } from "../transfer/records.ts";
export { parseRecord, recordFields, recordForms } from "../transfer/schemas.ts";
export type { RecordForm } from "../transfer/schemas.ts";
export type { RecordPage, RecordStore } from "../transfer/store.ts";
export type {
  TokenIssue,
  TokenKey,
  TokenRecord,
  TokenStore,
  UserChange,
  UserRecord,
  UserStore,
} from "../users/store.ts";
export type { Change, ChangeFeed, Storage } from "./storage.ts";
