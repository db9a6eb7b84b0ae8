export { aiContract, chatEvent } from "./ai/contract.ts";
export type { ChatEvent, CompletionEvent } from "./ai/contract.ts";
export { avatarsContract } from "@telex/files/contract";
export { incomingFile } from "@telex/files/blobs";
export { bucketContract } from "@telex/files/contract";
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
export { imagesContract } from "@telex/files/contract";
export { connectionCommands, liveEvents } from "./instance/live-events.ts";
export { roomView } from "./rooms/contract.ts";
export { message as messageView, messagesContract } from "./messages/contract.ts";
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
  word,
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
