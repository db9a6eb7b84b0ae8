export type {
  Allocation,
  AiStore,
  ConversationKey,
  ConversationMessageRecord,
  ConversationRecord,
  DayRange,
  Reservation,
  Turn,
  Usage,
} from "./ai/store.ts";
export type { EmbeddingModel, EmbeddingRequest, Embeddings } from "./ai/embedding-model.ts";
export { echoModel } from "./ai/model.ts";
export type {
  ChatMessage,
  ChatModel,
  ChatPart,
  ChatRequest,
  ChatUsage,
  ContentPart,
  ModelFinish,
  ReplyOptions,
  ToolCall,
  ToolCallPart,
  ToolDefinition,
} from "./ai/model.ts";
export { aiContract, allocationPeriod, allocationUnit, chatEvent, quotaContract } from "./ai/contract.ts";
export type {
  AiContract,
  ChatEvent,
  CompletionEvent,
  ConversationView,
  QuotaContract,
  QuotaView,
} from "./ai/contract.ts";
export { avatarsContract } from "./avatars/contract.ts";
export type { AvatarsContract, AvatarView } from "./avatars/contract.ts";
export type { AvatarSource, ExternalAvatar } from "./avatars/source.ts";
export { parseInput } from "./instance/bind.ts";
export type { FamilyAccess } from "./contract/operation.ts";
export { bucketContract } from "./bucket/contract.ts";
export { filesContract } from "./bucket/files-contract.ts";
export type { FilesContract } from "./bucket/files-contract.ts";
export type { BlobEntry, BlobStore } from "./bucket/blobs.ts";
export type {
  BucketContract,
  ByteRange,
  ByteStream,
  IncomingFile,
  OutgoingFile,
  StoredFileView,
} from "./bucket/contract.ts";
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
} from "./bucket/store.ts";
export type { Bus, BusEvent, BusMember, DeviceTextEvent } from "./bus/bus.ts";
export { createLocalBus } from "./bus/local.ts";
export { anonymous, operator } from "./contract/caller.ts";
export type { Anonymous, Caller, Operator, TokenHolder } from "./contract/caller.ts";
export { chooseLocale, describeError, describeIssue, locales } from "./errors/describe.ts";
export { problemKeys, reasonKeys } from "./errors/keys.ts";
export type { Locale } from "./errors/describe.ts";
export type { ProblemKey, ReasonKey, TextParams } from "./errors/keys.ts";
export { families } from "./contract/operation.ts";
export type {
  Access,
  CallContext,
  ConnectionCommand,
  Contract,
  Family,
  Operation,
  Service,
} from "./contract/operation.ts";
export { capabilityNames, contracts, isOperationName, listOperations, operatorContracts } from "./contracts.ts";
export type {
  CallOperation,
  CapabilityName,
  Contracts,
  Implementations,
  NamedOperation,
  OperationName,
  OperationOutput,
  OperatorContracts,
  Services,
} from "./contracts.ts";
export { createTelex } from "./instance/create-telex.ts";
export { errorCodes } from "./errors/codes.ts";
export { TelexError } from "./errors/errors.ts";
export type { ErrorCode } from "./errors/codes.ts";
export type { TelexErrorOptions } from "./errors/errors.ts";
export { everyOf } from "./contract/every-of.ts";
export { codePoints, maxId } from "./contract/fields.ts";
export { addressKey, callerAddress } from "./rates/address.ts";
export type { RequestOrigin } from "./rates/address.ts";
export { createRateLimiter, defaultRateLimits, unlimited } from "./rates/limiter.ts";
export type { Counted, Rate, RateLimiter, RateLimiterDeps, RateLimits } from "./rates/limiter.ts";
export type {
  Gateway,
  GatewayAccount,
  GatewayFile,
  GatewayInbox,
  GatewayMessage,
  GatewayOutcome,
  GatewayPart,
  IncomingReceipt,
  NetworkRoom,
} from "./gateways/gateway.ts";
export type { IncomingMessage, OpenMedia } from "./gateways/incoming.ts";
export { groupsContract } from "./groups/contract.ts";
export type { GroupsContract, GroupView } from "./groups/contract.ts";
export { groupTypes } from "./groups/group-type.ts";
export type { GroupType } from "./groups/group-type.ts";
export type { GroupRecord, GroupStore, MemberRecord } from "./groups/store.ts";
export { imagesContract } from "./images/contract.ts";
export type { ImagesContract } from "./images/contract.ts";
export { longestInput } from "./contract/input-bounds.ts";
export type { Issue } from "./errors/issues.ts";
export { interfaceLimits } from "./contract/interface-limits.ts";
export { defaultLimits } from "./options/limits.ts";
export type { Limits } from "./options/limits.ts";
export { connectionCommands, liveEvents } from "./live/live.ts";
export type { CloseReason, LiveConnection, LiveEvent } from "./live/live.ts";
export { parseJson } from "./contract/json.ts";
export { redact, silentLogger } from "./log/log.ts";
export type { LogFields, Logger } from "./log/log.ts";
export { messagesContract } from "./messages/contract.ts";
export type { MessagesContract, MessageView, SegmentInput } from "./messages/contract.ts";
export type {
  MessageAppend,
  MessageAppended,
  MessagePage,
  MessageRecord,
  MessagesSince,
  MessageStore,
  NetworkIds,
  NetworkPerson,
} from "./messages/store.ts";
export { definePlugin } from "./plugin.ts";
export type { Plugin, PluginPorts, TelexEvents, TelexListeners } from "./plugin.ts";
export { assertStorage, storageParts } from "./storage/storage.ts";
export type { Change, ChangeFeed, Storage, StoragePart } from "./storage/storage.ts";
export type { ListenOptions, Listening, OperatorServices, Telex } from "./telex.ts";
export type { TelexOptions } from "./options/telex-options.ts";
export { teleprinterContract } from "./teleprinter/contract.ts";
export type { DeviceMessageView, DeviceView, TeleprinterContract } from "./teleprinter/contract.ts";
export { deviceAdminContract } from "./devices/contract.ts";
export type { DeviceAdminContract, OwnedDeviceView } from "./devices/contract.ts";
export { pairingContract } from "./pairing/contract.ts";
export type { PairingContract } from "./pairing/contract.ts";
export type { PairingRecord, PairingStore } from "./pairing/store.ts";
export type { DeviceConnect } from "./teleprinter/feed.ts";
export type { DeviceConnection, DeviceFeed } from "./teleprinter/feed.ts";
export type {
  DeviceAppend,
  DeviceAppended,
  DeviceKey,
  DeviceMessageRecord,
  DeviceRecord,
  DeviceRefusal,
  DeviceClaim,
  DeviceClaimed,
  DeviceTake,
  Direction,
  TeleprinterStore,
} from "./teleprinter/store.ts";
export { securityEvents } from "./log/security.ts";
export type { SecurityEvent, SecurityLog } from "./log/security.ts";
export { createZone } from "./time/zone.ts";
export { systemClock } from "./time/clock.ts";
export type { Clock } from "./time/clock.ts";
export type { Day, Zone } from "./time/zone.ts";
export { digestRecords, linesOf, readRecords } from "./transfer/digest.ts";
export type { RecordDigest } from "./transfer/digest.ts";
export { TransferError } from "./transfer/error.ts";
export type { TransferFault } from "./transfer/error.ts";
export { copyFiles } from "./transfer/files.ts";
export type { DamagedFile, FileSource, FilesReport } from "./transfer/files.ts";
export { compareKeys, keyOf } from "./transfer/key.ts";
export type { RecordKey } from "./transfer/key.ts";
export type { TransferLog, TransferState } from "./transfer/log.ts";
export { counterNames, recordKeys, recordKinds } from "./transfer/records.ts";
export type { CounterName, RecordKind, Records } from "./transfer/records.ts";
export { parseRecord, recordFields } from "./transfer/schemas.ts";
export type { RecordPage, RecordStore } from "./transfer/store.ts";
export { transfer } from "./transfer/transfer.ts";
export type { TransferOptions, TransferProgress, TransferReport } from "./transfer/transfer.ts";
export { tokensContract, userAdminContract, usersContract } from "./users/contract.ts";
export type {
  OwnTokenView,
  TokensContract,
  TokenView,
  UserAdminContract,
  UsersContract,
  UserView,
} from "./users/contract.ts";
export type {
  TokenIssue,
  TokenKey,
  TokenRecord,
  TokenStore,
  UserChange,
  UserRecord,
  UserStore,
} from "./users/store.ts";
export type { TokenVerifier } from "./users/verifier.ts";
