export { avatarPath, extAvatarPath, groupAvatarPath } from "./avatar-path.ts";
export { actingFor, actingForAdmin, anonymous, operator } from "./caller.ts";
export type { Caller, Operator, TokenHolder } from "./caller.ts";
export { DeviceOrigin, deviceOf } from "./device-origin.ts";
export { everyOf } from "./every-of.ts";
export {
  codePoints,
  convert,
  fileId,
  id,
  idOrZero,
  idOut,
  idText,
  list,
  maxId,
  moment,
  nonce,
  secretText,
  shortText,
  text,
  timestamp,
  via,
  word,
} from "./fields.ts";
export { groupType, groupTypes, networkTypes, routeOf } from "./group-type.ts";
export type { GroupType } from "./group-type.ts";
export { inputSchema, longestInput } from "./input-bounds.ts";
export { interfaceLimits } from "./interface-limits.ts";
export { jsonOrUndefined, parseJson } from "./json.ts";
export { defineContract, families } from "./operation.ts";
export type {
  Access,
  BoundOperation,
  CallContext,
  CallRequest,
  CallerOf,
  ConnectionCommand,
  Contract,
  FamilyAccess,
  Implementation,
  Operation,
  RunOperation,
  Service,
  TraceHeaders,
  NonceReuse,
} from "./operation.ts";
export { parseInput } from "./parse-input.ts";
export { securityEvents } from "./security-events.ts";
export type { SecurityEvent } from "./security-events.ts";
export { sharedLimits } from "./shared-limits.ts";
export type { SharedLimits } from "./shared-limits.ts";
export { tokenNumbers } from "./token-numbers.ts";
