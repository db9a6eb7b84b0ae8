import type { Caller } from "../contract/caller.ts";
import type { Access } from "../contract/operation.ts";
import type { SecurityEvent } from "../contract/security-events.ts";
import type { LogFields, Logger } from "./log.ts";
import { createOnce } from "./once.ts";
import type { Clock } from "../time/clock.ts";

/** Logs security events: only ids and addresses, never tokens, names or contents. */
export interface SecurityLog {
  note(event: SecurityEvent, fields: LogFields): void;
  /**
   * Logs an event that anyone can cause any number of times: only the first time in a minute for each `key`. The number of
   * remembered keys is limited, so that many callers do not fill the memory.
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
 * @param access the access of the operation: if it is `operator`, `by` is the id of the caller
 */
export function callerFields(caller: Caller, access: Access): LogFields {
  if (caller.kind === "operator") return { by: "operator" };
  if (caller.kind === "token" && access === "operator") return { by: caller.userId, byToken: caller.tokenId };
  return caller.kind === "token" ? { by: "user", userId: caller.userId, byToken: caller.tokenId } : { by: "anyone" };
}

const isId = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number";

/** The fields of a log line that contain an id, and their names in an input or an output. */
const named = {
  userId: "userId",
  groupId: "groupId",
  deviceId: "deviceId",
  md5: "file_id",
  account: "account",
  server: "server",
} as const;

/** The names of lists of ids in a log line, and in an input. */
const lists = { added: "add", removed: "remove", members: "members" } as const;
/** Maximum ids of a list in a line. It also contains the number of further ones. */
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
 * The ids in the input and output of an operation. A field `id` belongs to the subject of the event, such as the token of
 * `token.issued`. Earlier sources take precedence over later ones.
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
