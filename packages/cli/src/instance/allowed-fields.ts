import { redact } from "@telex/core";
import type { LogFields } from "@telex/core";
import { printable } from "../terminal/output.ts";

/** The fields that a line may contain. The log leaves out all others. */
const allowed: ReadonlySet<string> = new Set([
  "account",
  "added",
  "address",
  "blobId",
  "bytes",
  "by",
  "byToken",
  "capability",
  "code",
  "command",
  "connections",
  "deviceId",
  "fault",
  "file",
  "files",
  "gateway",
  "groupId",
  "incident",
  "kind",
  "locale",
  "lost",
  "md5",
  "members",
  "messageId",
  "method",
  "ms",
  "name",
  "next",
  "node",
  "operation",
  "outcome",
  "pid",
  "plugin",
  "reason",
  "removed",
  "route",
  "scheme",
  "server",
  "signal",
  "status",
  "step",
  "tokenId",
  "userId",
  "version",
]);

export const clean = (value: string): string => printable(redact(value));

export function allowedOf(fields: LogFields): Record<string, string | number | boolean | null> {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || !allowed.has(name)
      ? []
      : [[name, typeof value === "string" ? clean(value) : value] as const],
  );
  return Object.fromEntries(entries);
}
