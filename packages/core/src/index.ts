export type { EmbeddingModel, EmbeddingRequest, Embeddings } from "./ai/embedding-model.ts";
export { createFailover } from "./ai/failover.ts";
export type { FailoverOptions } from "./ai/failover.ts";
export { echoModel } from "./ai/model.ts";
export type {
  ChatMessage,
  ChatModel,
  ChatPart,
  ChatRequest,
  ChatUsage,
  ContentPart,
  ModelFinish,
  ToolCall,
  ToolCallPart,
  ReplyOptions,
  ReplyPerson,
  ReplySetting,
  ReplyStep,
  ToolAnswers,
  ToolDefinition,
} from "./ai/model.ts";
export type { AnsweringModels, Listen } from "./ai/answers.ts";
export type { Chosen } from "./ai/reply.ts";
export type { ToolServerState, ToolUse } from "./records/tool-use.ts";
export type { ConversationView, QuotaView } from "./ai/contract.ts";
export type { AvatarView } from "@telex/files/contract";
export type { AvatarSource, ExternalAvatar } from "@telex/files";
export { anonymous, operator, securityEvents } from "@telex/ground/contract";
export type { FamilyAccess, Caller, Operator, TokenHolder } from "@telex/ground/contract";
export type { BlobStore } from "@telex/files/blobs";
export type { FileLinkView, OwnFileView, StoredFileView } from "@telex/files/contract";
export type { BusEvent, Bus, BusMember } from "./instance/bus-events.ts";
export type { RemoteReplies, ReplyAsk, ReplyPart, ReplyPosition } from "./ai/remote-replies.ts";
export { busTopicOf, createLocalBus } from "./instance/bus-events.ts";
export { createTelex } from "./instance/create-telex.ts";
export { errorCodes, TelexError } from "@telex/ground/errors";
export type { ErrorCode } from "@telex/ground/errors";
export type {
  Gateway,
  GatewayAccount,
  GatewayCheck,
  GatewayInbox,
  GatewayMessage,
  GatewayOutcome,
  GatewayPart,
  GatewayReaction,
  GatewayRecall,
  NetworkMember,
  IncomingReceipt,
  NetworkRoom,
  ReactionOutcome,
  ReactionReceipt,
  RecallReceipt,
} from "./networks/gateway.ts";
export type { GatewayLease, GatewayLeases, GatewayReport } from "./networks/leases.ts";
export { incomingMessage } from "./networks/incoming.ts";
export type { CheckedMessage, IncomingMessage, IncomingReaction, IncomingRecall } from "./networks/incoming.ts";
export type { BotRecord } from "./records/gateways.ts";
export type { BotView } from "./gateways/contract.ts";
export type { GroupView } from "./groups/contract.ts";
export type { Lease, LeaseHooks, Leases } from "@telex/ground/leases";
export { defaultLimits } from "./instance/limits.ts";
export type { Limits } from "./instance/limits.ts";
export { warmPinyin } from "@telex/search-terms";
export { redact } from "@telex/ground/log";
export type { LogFields, Logger } from "@telex/ground/log";
export type { Figures } from "./observe/figures.ts";
export type {
  ObservedBlob,
  ObservedCall,
  ObservedCommit,
  ObservedFault,
  ObservedReply,
  ObservedResponse,
  Observer,
} from "./observe/observer.ts";
export type { MessageAmending, MessageChange } from "./messages/amend.ts";
export type { MessageView, SegmentInput } from "./messages/contract.ts";
export { definePlugin } from "./instance/plugin.ts";
export type { Plugin } from "./instance/plugin.ts";
export type { Storage } from "./instance/storage.ts";
export type { OperatorServices, Telex } from "./instance/telex.ts";
export type { Notice } from "./messages/notice/notice.ts";
export type { TelexOptions } from "./instance/options/telex-options.ts";
export type { DeviceMessageView, DeviceView } from "./teleprinter/contract.ts";
export { systemClock, createZone } from "@telex/ground/time";
export type { Clock } from "@telex/ground/time";
export type { OwnTokenView, TokenView, UserView } from "./users/contract.ts";
export type { TokenVerifier } from "./users/verifier.ts";
