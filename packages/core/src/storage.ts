export type {
  Account,
  AccountAmendment,
  AccountConflict,
  AccountCreation,
  AccountKey,
  AccountStore,
  Identity,
  Passkey,
} from "./accounts/store.ts";
export type { ArtifactConditions, ArtifactKey, ArtifactPut, GrantsKey, GrantStore } from "./accounts/grant-store.ts";
export type { KeyStore } from "./accounts/key-store.ts";
export type { LinkKind, LinkRecord, LinkStore, LinkUse } from "./accounts/link-store.ts";
export type { SessionKey, SessionRecord, SessionStore } from "./accounts/session-store.ts";
export type {
  AccountRecord,
  ArtifactRecord,
  ClientRecord,
  GrantRecord,
  IdentityRecord,
  KeyRecord,
  PasskeyRecord,
} from "./records/accounts.ts";
export type { AiStore, ConversationKey, DayRange } from "./ai/store.ts";
export type {
  Allocation,
  ConversationMessageRecord,
  ConversationRecord,
  Reservation,
  Settlement,
  Turn,
  Usage,
} from "./records/ai.ts";
export { emptiedAccount } from "./records/accounts.ts";
export { parseSettlement } from "./records/ai.ts";
export { parseQuestionFiles, usePlaceOf } from "@telex/files/records";
export type { BlobEntry, BlobStore } from "@telex/files/blobs";
export { assertBlobId, isBlobId, isQuarantined } from "@telex/files/blobs";
export type { ByteRange, ByteStream } from "@telex/files/blobs";
export { DamagedBlobError } from "@telex/files/blobs";
export type {
  BucketStore,
  FileExpiry,
  FilePut,
  FilePutResult,
  UploadReservation,
  UploadsPage,
  UploadTaken,
} from "@telex/files";
export type { AttachmentRecord, CodeRecord, FileRecord, UploadedFile, UploadShare } from "@telex/files/records";
export type { BotChange, BotConflict, BotStore } from "./gateways/store.ts";
export type { BotRecord } from "./records/gateways.ts";
export { groupTypes } from "@telex/ground/contract";
export type { GroupType } from "@telex/ground/contract";
export { listRoomPairs } from "./gateways/operator/one-room.ts";
export type { RoomPair } from "./gateways/operator/one-room.ts";
export type {
  AppendedOnce,
  GroupChange,
  GroupKey,
  GroupStore,
  NewNetworkGroup,
  RoomAmended,
  RoomChange,
} from "./groups/store.ts";
export { changeFoundRoom } from "./groups/change-room.ts";
export { hasOwner, heirsOf } from "./groups/heir.ts";
export type { FindMember } from "./groups/heir.ts";
export { newGroup, newMember, pinsOf } from "./records/groups.ts";
export type { GroupRecord, MemberRecord, NewGroup, Room } from "./records/groups.ts";
export type { Claim, LeaseKey, LeaseRecord, LeaseStore } from "@telex/ground/leases";
export { characterTerm, createSearchReader } from "@telex/search-terms";
export type {
  MessagePosition,
  MessageSearch,
  MessageSearchStore,
  MessagesFound,
  MessageTerms,
  RenewedMessage,
} from "./messages/search/store.ts";
export type {
  MessageOutboxStore,
  SendClaim,
  SendClaimed,
  SendEnd,
  SendKey,
  SendRoom,
} from "./messages/outbox-store.ts";
export type {
  MarkedRead,
  MessagePage,
  MessageAmend,
  MessageAmended,
  MessageAmendment,
  MessageRecall,
  MessageRecalled,
  MessagesSince,
  MessageStore,
  NetworkId,
  NetworkKey,
  Recall,
  RoomReading,
} from "./messages/store.ts";
export type { MessageAppend, MessageAppended, NetworkIds } from "./records/message-append.ts";
export { isRecalled } from "./messages/recalls/recalled.ts";
export { storedSegmentsOf } from "./records/segments.ts";
export type { StoredSegment } from "./records/segments.ts";
export { plainText, readContent } from "./records/content.ts";
export { extrasOf, isNotice } from "./records/messages.ts";
export { changedReactions } from "./records/reactions.ts";
export type { Reacting } from "./records/reactions.ts";
export type {
  MessageExtras,
  MessageRecord,
  NetworkPerson,
  NewMessage,
  OutboxRecord,
  RecallRecord,
} from "./records/messages.ts";
export type { PairingState, PairingStore } from "./pairing/store.ts";
export type { PairingRecord } from "./records/pairing.ts";
export type {
  DeviceAppend,
  DeviceAppended,
  DeviceChange,
  DeviceClaim,
  DeviceClaimed,
  DeviceKey,
  DeviceRefusal,
  DeviceTake,
  Direction,
  TeleprinterStore,
  TextOrder,
} from "./teleprinter/store.ts";
export type { ScheduleStore } from "./teleprinter/schedule/store.ts";
export { isNewText } from "./teleprinter/nonce-reuse.ts";
export { newDevice, newText } from "./records/teleprinter.ts";
export type { DeviceMessageRecord, DeviceRecord, DeviceScheduleRecord } from "./records/teleprinter.ts";
export type { Day } from "@telex/ground/time";
export { canonicalRecord, compareKeys, keyOf } from "./transfer/key.ts";
export type { RecordKey } from "./transfer/key.ts";
export { TransferError } from "./transfer/error.ts";
export { counterNames, recordKey, recordKinds } from "./transfer/records.ts";
export type { CounterName, RecordKind, Records } from "./transfer/records.ts";
export { parseRecord, recordDefaults, recordFields, recordForms } from "./transfer/schemas.ts";
export type { RecordForm } from "./transfer/schemas.ts";
export type { RecordPage, RecordStore } from "./transfer/store.ts";
export type { TokenIssue, TokenKey, TokenStore, UserChange, UserStore } from "./users/store.ts";
export type { TokenRecord, UserRecord } from "./records/users.ts";
export { assertStorage, storageParts } from "./instance/storage.ts";
export type { Storage } from "./instance/storage.ts";
export type { Change, ChangeFeed } from "./storage/changes.ts";
