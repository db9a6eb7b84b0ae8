import { type ErrorCode, errorCodes, TelexError } from "@telex/core";
import { describeError } from "@telex/core/transport";
import { statusOf } from "@telex/http";
import { failure } from "../../packages/ws/src/frames/failures.ts";

/** The columns of the error table in addition to the text for callers. `null` for errors that no socket can meet. */
interface Advice {
  readonly when: string;
  readonly todo: string;
  readonly onlyHttp?: true;
}

/** When each error occurs, and how a client should respond. An error without a row does not compile. */
const advice: Readonly<Record<ErrorCode, Advice>> = {
  invalid_request: {
    when: "a field is missing, of the wrong type or out of range, or the body is not JSON",
    todo: "correct what `issues` names; the same request fails again",
  },
  weak_password: {
    when: "the password is too short, too long, common, or equal to the username",
    todo: "choose another password",
    onlyHttp: true,
  },
  invalid_token: {
    when: "the token is missing, malformed, unknown, expired or revoked",
    todo: "request a new token",
  },
  insufficient_scope: {
    when: "the token is valid, but its scopes do not allow this call",
    todo: "use a token with the scope in the message",
  },
  not_owner: { when: "the device belongs to another user", todo: "use the owner's token" },
  not_member: { when: "the user is not a member of the room", todo: "ask the operator to add the user" },
  too_late: {
    when: "the message was sent too long ago to be recalled",
    todo: "ask an administrator of the room's server",
  },
  not_allowed: {
    when: "the role or the kind of credentials does not allow the call",
    todo: "sign in with a browser, or ask an admin",
    onlyHttp: true,
  },
  not_confirmed: {
    when: "the last sign-in is too long ago for this call",
    todo: "sign in again, or send the current password",
    onlyHttp: true,
  },
  cross_origin: {
    when: "a request with the cookie of a session came from another site, or does not say where it came from",
    todo: "call from a page of this server, or use a token",
  },
  suspended: { when: "the account is suspended", todo: "ask an admin", onlyHttp: true },
  registration_closed: {
    when: "the server does not accept new accounts this way",
    todo: "ask an admin for an invitation",
    onlyHttp: true,
  },
  not_found: {
    when: "the URL, upload code, conversation or pairing does not exist",
    todo: "check the URL or ID; if a code has expired, request a new one",
  },
  device_not_found: { when: "this device ID is not registered", todo: "register it" },
  file_not_found: { when: "the file does not exist or has expired", todo: "upload it again" },
  group_not_found: {
    when: "there is no room with this `groupId`, it has another `groupType`, or the user is not a member",
    todo: "check `groupId` and `groupType`",
  },
  user_not_found: { when: "the user does not exist or was removed", todo: "check the id" },
  method_not_allowed: {
    when: "the URL does not support this method",
    todo: "use a method from the header `Allow`",
    onlyHttp: true,
  },
  timeout: { when: "the request did not arrive in time", todo: "send it again", onlyHttp: true },
  device_taken: { when: "another user has registered the ID", todo: "choose another ID" },
  group_taken: {
    when: "the group or person of an external network already has a room with this account",
    todo: "use that room, or remove it first",
    onlyHttp: true,
  },
  code_used: { when: "the upload code has already been used", todo: "request a new code", onlyHttp: true },
  file_conflict: {
    when: "a different file with the same MD5 is stored: one of the two is forged",
    todo: "nothing was stored; the same upload fails again",
    onlyHttp: true,
  },
  nonce_conflict: { when: "the nonce was used with different content", todo: "use a new nonce for new content" },
  username_taken: { when: "another account has the username", todo: "choose another username", onlyHttp: true },
  last_admin: {
    when: "the last active admin would be removed, suspended or demoted",
    todo: "make another admin first",
    onlyHttp: true,
  },
  limit_reached: {
    when: "the caller has reached the maximum number of this kind",
    todo: "remove one first",
    onlyHttp: true,
  },
  last_owner: {
    when: "the last owner of a room would be removed or demoted",
    todo: "make another owner first, or leave",
    onlyHttp: true,
  },
  archived: { when: "the room is archived", todo: "ask an owner to unarchive it" },
  not_supported: {
    when: "the server, or what the call is about, does not offer this",
    todo: "do what the message says",
    onlyHttp: true,
  },
  last_way: {
    when: "the last way to sign in would be removed",
    todo: "add another way to sign in first",
    onlyHttp: true,
  },
  link_ended: {
    when: "the link is unknown, used, expired or revoked",
    todo: "ask for a new link",
    onlyHttp: true,
  },
  code_expired: { when: "the upload code is older than 8 hours", todo: "request a new code", onlyHttp: true },
  too_large: { when: "a body or file is over its limit", todo: "send less", onlyHttp: true },
  unsupported_media: {
    when: "this call does not support the content type or encoding of the body",
    todo: "send the type in the message",
    onlyHttp: true,
  },
  unreadable_image: {
    when: "the file is not an image, is damaged, or has too many pixels or lines",
    todo: "send another image, or a smaller `col`",
    onlyHttp: true,
  },
  rate_limited: { when: "the caller exceeded a rate limit", todo: "wait as `Retry-After` says" },
  quota_exceeded: {
    when: "the quota of this period, or the share of uploads, is used up",
    todo: "wait as `Retry-After` says",
  },
  queue_full: {
    when: "too many texts are waiting for the device",
    todo: "send again when the device has fetched some",
  },
  headers_too_large: {
    when: "the request line and headers are larger than 16 KiB",
    todo: "send fewer headers",
    onlyHttp: true,
  },
  delivery_failed: { when: "the bot refused the message", todo: "nothing was stored; the message contains the reason" },
  delivery_unknown: {
    when: "the bot received the message but did not report the result, or took only a part",
    todo: "ask the recipient: the message may have arrived, and is not sent again",
  },
  storage_full: { when: "the disk is full, or a write would exceed the reserved free space", todo: "try again later" },
  storage_unavailable: { when: "the storage does not respond", todo: "try again after `Retry-After`" },
  bot_offline: { when: "the bot of the room is offline", todo: "nothing was stored; try again later" },
  provider_unavailable: {
    when: "the OpenID Connect provider of an account does not respond, or its answer is not usable",
    todo: "try again later",
    onlyHttp: true,
  },
  ai_unavailable: { when: "the model does not respond", todo: "try again later" },
  busy: { when: "too much work of this kind is already waiting", todo: "try again after `Retry-After`" },
  shutting_down: { when: "the server is stopping", todo: "try again shortly, or use another server" },
  internal: {
    when: "an internal error occurred",
    todo: "report the incident to the operator: the log contains its cause",
  },
};

/** The form of an error in a frame. */
function frameOf(code: ErrorCode): string {
  if (advice[code].onlyHttp === true) return "";
  if (code === "invalid_token") return "`LoginFail` 400";
  const frame = failure(TelexError.of(code), "null", "en", "SendMessageResult");
  const [, type = "", number = ""] = /"type":"(\w+)","code":(\d+)/.exec(frame) ?? [];
  return `\`${type}\` ${number}`;
}

/** Every error: its slug, HTTP status, frame, cause and remedy. */
export function errorTable(): string {
  const rows = errorCodes.map((code) => {
    const { when, todo } = advice[code];
    return `| <a id="${code}"></a>\`${code}\` | ${statusOf[code]} | ${frameOf(code)} | ${when} | ${todo} |`;
  });
  return ["| `error` | HTTP | Frame | When | What to do |", "| --- | --- | --- | --- | --- |", ...rows].join("\n");
}

/** The English text of every error, as callers receive it. */
export const errorTexts = (): string =>
  errorCodes
    .filter((code) => code !== "internal")
    .map((code) => `- \`${code}\`: ${describeError(TelexError.of(code), "en")}`)
    .join("\n");
