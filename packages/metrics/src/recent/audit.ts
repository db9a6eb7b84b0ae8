import { type LogFields, type Logger, securityEvents } from "@telex/core";
import { z } from "zod";
import { createLines, createTail, type Tail } from "./security-file.ts";

/** Maximum events that are kept. */
const keptEvents = 10_000;

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** A line of the security log. */
const lineSchema = z
  .object({ time: z.iso.datetime(), level: z.enum(["info", "warn"]), event: z.enum(securityEvents) })
  .catchall(value);

/** A security event. */
interface AuditEvent {
  /** Higher for an event that this server added later. */
  readonly id: number;
  readonly at: string;
  readonly level: "info" | "warn";
  readonly event: (typeof securityEvents)[number];
  readonly fields: Readonly<Record<string, z.output<typeof value>>>;
}

/** Selects events, newest first. */
interface AuditQuery {
  /** Only this event, or events that begin with this word and a dot. */
  readonly event: string | null;
  /** Only events that a user caused, or that are about that user. */
  readonly userId: number | null;
  readonly level: "info" | "warn" | null;
  /** Only events with a lower id. */
  readonly before: number | null;
  readonly limit: number;
}

/** The files for the events of an installation, next to the storage. */
export interface AuditFiles {
  /** Changes by operator commands. The server only reads this file. */
  readonly commands: string;
  /** Changes that this server has logged. */
  readonly server: string;
}

/** The security events that a server knows. */
export interface Audit {
  /** Notes an event that was logged. Other events of the log are ignored. */
  readonly note: (level: "info" | "warn", event: string, fields: LogFields) => void;
  /** @returns at most `limit` events, newest first */
  readonly list: (query: AuditQuery) => Promise<readonly AuditEvent[]>;
}

const eventNames: ReadonlySet<string> = new Set(securityEvents);
const isKnown = (event: string): event is AuditEvent["event"] => eventNames.has(event);

function read(line: string): Omit<AuditEvent, "id"> | null {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = lineSchema.safeParse(json);
  if (!parsed.success) return null;
  const { time: at, level, event, ...fields } = parsed.data;
  return { at, level, event, fields };
}

const matches =
  ({ event: kind, userId, level, before }: AuditQuery) =>
  ({ id, event, level: own, fields }: AuditEvent): boolean =>
    (before === null || id < before) &&
    (level === null || level === own) &&
    (kind === null || event === kind || event.startsWith(`${kind}.`)) &&
    (userId === null || fields["userId"] === userId || fields["by"] === userId);

const fieldsOf = (fields: LogFields): AuditEvent["fields"] =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])));

/** The newest events, in a limited amount of memory. */
class Kept {
  readonly events: AuditEvent[] = [];
  #last = 0;

  add(event: Omit<AuditEvent, "id">): void {
    this.events.push({ id: (this.#last += 1), ...event });
    if (this.events.length > keptEvents * 1.25) this.events.splice(0, this.events.length - keptEvents);
  }
}

/** Reads the events of commands, and at the start also the earlier events of this server. */
function createReading(kept: Kept, files: AuditFiles): () => Promise<void> {
  const add = async (tails: readonly Tail[]): Promise<void> => {
    const lines = (await Promise.all(tails.map(({ read: readTail }) => readTail()))).flat();
    const events = lines.flatMap((line) => read(line) ?? []);
    for (const event of events.toSorted((a, b) => a.at.localeCompare(b.at)).slice(-keptEvents)) kept.add(event);
  };
  const commands = createTail(files.commands);
  let reading = add([commands, createTail(`${files.server}.1`), createTail(files.server)]);
  return async () => {
    reading = reading.then(() => add([commands]));
    await reading;
  };
}

interface AuditDeps {
  readonly now: () => number;
  readonly files: AuditFiles | null;
  /** Called for an event that could not be written. It is kept in memory. */
  readonly failed: (cause: unknown) => void;
}

/** Creates the audit log of a server. Changes are also stored in a file, but refusals only in memory, because anyone can cause many of them. */
export function createAudit({ now, files, failed }: AuditDeps): Audit {
  const kept = new Kept();
  const refresh = files === null ? null : createReading(kept, files);
  const write = files === null ? null : createLines(files.server, failed);
  return {
    note(level, event, given) {
      if (!isKnown(event)) return;
      const at = new Date(now()).toISOString();
      const fields = fieldsOf(given);
      kept.add({ at, level, event, fields });
      if (level === "info") write?.(JSON.stringify({ time: at, level, event, ...fields }));
    },
    async list(query) {
      await refresh?.();
      return kept.events.filter(matches(query)).slice(-query.limit).toReversed();
    },
  };
}

/** A log that also notes its events in the audit log. */
export const auditedLog = (log: Logger, note: Audit["note"]): Logger => ({
  info(event, fields) {
    log.info(event, fields);
    note("info", event, fields ?? {});
  },
  warn(event, fields) {
    log.warn(event, fields);
    note("warn", event, fields ?? {});
  },
  error: (event, fields, cause) => log.error(event, fields, cause),
});
