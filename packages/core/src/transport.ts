export { parseImageName } from "@telex/files/blobs";
export type { IncomingFile, OutgoingFile } from "@telex/files/blobs";
export {
  createFairQueue,
  createInTurn,
  createSlots,
  atEndOfTick,
  nextTick,
  unlessFailed,
} from "@telex/ground/concurrency";
export type { InTurn } from "@telex/ground/concurrency";
export { actingFor, parseJson, parseInput } from "@telex/ground/contract";
export { describeError, describeInLine, describeIssue, localeOf, problemKeys, reasonKeys } from "@telex/ground/errors";
export type { Locale, Issue, ReasonKey } from "@telex/ground/errors";
export { createOnce } from "@telex/ground/log";
export type { CloseReason } from "@telex/ground/live";
export type { LiveConnection, LiveEvent, DeviceConnection } from "./instance/live-events.ts";
export { addressKey, callerAddress, createRateLimiter, defaultRateLimits, unlimited } from "@telex/ground/rates";
export type { Counted, RateLimiter } from "@telex/ground/rates";
export type { RequestAuthenticator, TokenlessRequest } from "./users/request-authenticator.ts";
export type { OneBotUser } from "./users/one-bot.ts";
export type { OfferedToken } from "./pairing/service.ts";
export type { DeviceAttendance } from "./teleprinter/presence/attendance.ts";
export type { DeviceFeed } from "./teleprinter/feed.ts";
