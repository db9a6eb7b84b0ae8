import type { Caller } from "../contract/caller.ts";
import type { Access } from "../contract/operation.ts";
import type { SecurityEvent } from "../contract/security-events.ts";
import type { LogFields, Logger } from "./log.ts";
import { createOnce } from "./once.ts";
import type { Clock } from "../time/clock.ts";

/** Logs events of security: ids and addresses only, never a token, a name or a content. */
export interface SecurityLog {
  note(event: SecurityEvent, fields: LogFields): void;
  /**
   * Logs something that anyone can cause as often as they like: the first time in a minute for each `key`. The keys that are
   * remembered are bounded, so that many callers cost no memory.
   */
  noteOnce(event: SecurityEvent, key: string, fields: LogFields): void;
}

/** A {@link SecurityLog} that writes to `log`. */
export function createSecurityLog(log: Logger, clock: Clock): SecurityLog {
  const isFirst = createOnce(clock);
  return {
    note: (event, fields) => log.info(event, fields),
    noteOnce(event, key, fields) {
      if (isFirst(`${event} ${key}`)) log.warn(event, fields);
    },
  };
}

/**
 * The caller, for the log.
 * @param access what the operation needs: `by` names the caller who acts as the operator
 */
export function callerFields(caller: Caller, access: Access): LogFields {
  if (caller.kind === "operator") return { by: "operator" };
  if (caller.kind === "token" && access === "operator") return { by: caller.userId, byToken: caller.tokenId };
  return caller.kind === "token" ? { by: "user", userId: caller.userId, byToken: caller.tokenId } : { by: "anyone" };
}

const isId = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number";

/** The fields of a log line that name something, and what they are called in an input or an output. */
const named = {
  userId: "userId",
  groupId: "groupId",
  deviceId: "deviceId",
  md5: "file_id",
  account: "account",
  server: "server",
} as const;

/** The lists of ids in an input, and what they are called in a log line. */
const lists = { added: "add", removed: "remove", members: "members" } as const;
/** Ids of a list that a line names; of more it has the number. */
const idsNamed = 50;

function listOf(value: unknown): string | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isId)) return null;
  const more = value.length - idsNamed;
  return `${value.slice(0, idsNamed).join(",")}${more > 0 ? ` and ${more} more` : ""}`;
}

const listsOf = (source: object): (readonly [string, string])[] =>
  Object.entries(lists).flatMap(([name, field]) => {
    const ids = listOf(Reflect.get(source, field));
    return ids === null ? [] : [[name, ids] as const];
  });

/**
 * The ids in what an operation took and gave. A field `id` is that of what the event is about: the token of `token.issued`.
 * Later sources count less than earlier ones.
 */
export function idsOf(event: SecurityEvent, sources: readonly unknown[]): LogFields {
  const names = [...Object.entries(named), [`${event.split(".", 1)[0] ?? ""}Id`, "id"] as const];
  const ids = sources
    .toReversed()
    .filter((source) => typeof source === "object" && source !== null)
    .flatMap((source) => [
      ...listsOf(source),
      ...names.flatMap(([name, field]) => {
        const value: unknown = Reflect.get(source, field);
        return isId(value) ? [[name, value] as const] : [];
      }),
    ]);
  return Object.fromEntries(ids);
}
