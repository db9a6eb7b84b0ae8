export { aiContract, chatEvent } from "./ai/contract.ts";
export type { ChatEvent, CompletionEvent } from "./ai/contract.ts";
export { avatarsContract } from "./avatars/contract.ts";
export { incomingFile } from "./blobs/bytes.ts";
export { bucketContract } from "./bucket/contract.ts";
export {
  capabilityNames,
  contracts,
  isOperationName,
  listOperations,
  operatorContracts,
} from "./instance/contracts.ts";
export type {
  CapabilityName,
  Contracts,
  NamedOperation,
  OperationName,
  OperationOutput,
} from "./instance/contracts.ts";
export { imagesContract } from "./images/contract.ts";
export { connectionCommands, liveEvents } from "./instance/live-events.ts";
export { roomView } from "./rooms/contract.ts";
export { messagesContract } from "./messages/contract.ts";
export { teleprinterContract } from "./teleprinter/contract.ts";
export {
  codePoints,
  id,
  idOut,
  list,
  maxId,
  nonce,
  shortText,
  text,
  timestamp,
  inputSchema,
  longestInput,
  interfaceLimits,
  defineContract,
} from "@telex/ground/contract";
export type {
  Access,
  BoundOperation,
  CallContext,
  CallRequest,
  ConnectionCommand,
  Contract,
  Operation,
  RunOperation,
} from "@telex/ground/contract";
