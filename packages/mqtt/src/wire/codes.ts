import type { ErrorCode, TelexError } from "@telex/core";
import type { CloseReason } from "@telex/core/transport";

/** Reason codes of MQTT 5. */
export const codes = {
  success: 0x00,
  disconnectWithWill: 0x04,
  noSubscription: 0x11,
  unspecified: 0x80,
  malformed: 0x81,
  protocolError: 0x82,
  implementation: 0x83,
  unsupportedVersion: 0x84,
  invalidClientId: 0x85,
  notAuthorized: 0x87,
  serverUnavailable: 0x88,
  shuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  takenOver: 0x8e,
  invalidTopicAlias: 0x94,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  administrative: 0x98,
  payloadFormat: 0x99,
  qosNotSupported: 0x9b,
  sharedSubscriptions: 0x9e,
  connectionRate: 0x9f,
  subscriptionIds: 0xa1,
} as const;

/** The return codes of CONNACK in MQTT 3.1.1. All other reasons are "server unavailable". */
const returnCodes: Readonly<Record<number, number>> = {
  [codes.success]: 0,
  [codes.unsupportedVersion]: 1,
  [codes.invalidClientId]: 2,
  [codes.notAuthorized]: 5,
};

export const returnCodeOf = (reason: number): number => returnCodes[reason] ?? 3;

/** The reason of DISCONNECT for each reason of core. */
export const closeCodes: Readonly<Record<CloseReason, number>> = {
  token_ended: codes.notAuthorized,
  not_owner: codes.notAuthorized,
  replaced: codes.takenOver,
  in_use: codes.takenOver,
  unregistered: codes.administrative,
  too_slow: codes.quotaExceeded,
  too_many: codes.quotaExceeded,
  stopping: codes.shuttingDown,
  draining: codes.shuttingDown,
};

/** Errors of a publish for which a repeat is useless. */
const refusals: Partial<Readonly<Record<ErrorCode, number>>> = {
  invalid_request: codes.payloadFormat,
  nonce_conflict: codes.implementation,
  insufficient_scope: codes.notAuthorized,
  invalid_token: codes.notAuthorized,
  not_owner: codes.notAuthorized,
  device_not_found: codes.notAuthorized,
  queue_full: codes.quotaExceeded,
  quota_exceeded: codes.quotaExceeded,
  bot_offline: codes.implementation,
  delivery_failed: codes.implementation,
  delivery_unknown: codes.implementation,
};

/** The PUBACK reason for an error of a publish; null if the client should publish again. */
export const refusalCodeOf = ({ code }: TelexError): number | null => refusals[code] ?? null;
