import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { securityEvents } from "@telex/core";
import type { LogFields, Logger } from "@telex/core";
import { codeOf, messageOf } from "../errors/errors.ts";
import { clean, allowedOf } from "./allowed-fields.ts";

type LogLevel = "error" | "warn" | "info";

interface Line {
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: LogFields;
  readonly cause: unknown;
}

type Write = (line: Line) => void;

const levels = { error: 0, warn: 1, info: 2 } as const satisfies Record<LogLevel, number>;

/**
 * A log on stderr: JSON lines for programs, or lines for a person. It masks tokens and escapes control characters.
 * @param server the name of this server, for each line; null if there is only one server
 */
export async function createLog(
  form: "json" | "pretty",
  loudest: LogLevel,
  server: string | null = null,
): Promise<Logger> {
  const write = form === "json" ? writeJson : await createPretty();
  if (server === null) return createLogger(write, loudest);
  return createLogger((line) => write({ ...line, fields: { server, ...line.fields } }), loudest);
}

const isSecurity = (event: string): boolean => securityEvents.some((name) => name === event);

/** Another command may have removed the folder while it was empty. */
function appendTo(path: string, line: string): void {
  const append = (): void => appendFileSync(path, line, { mode: 0o600, flush: true });
  try {
    append();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    mkdirSync(dirname(path), { mode: 0o700 });
    append();
  }
}

/**
 * A log that contains only security events, for commands of the operator: JSON lines in a file that only its owner can read. Each
 * line is one write, so that lines of several processes do not mix, and is on the disk before the command prints its result.
 * @param warn called for an event that could not be written, after the change was made
 */
export function createSecurityFile(path: string, warn: (text: string) => void): Logger {
  const append: Write = (line) => {
    if (!isSecurity(line.event)) return;
    try {
      appendTo(path, jsonLine(line));
    } catch (error) {
      warn(`The event ${line.event} could not be appended to ${path}: ${messageOf(error)}`);
    }
  };
  return createLogger(append, "info");
}

function createLogger(write: Write, loudest: LogLevel): Logger {
  const log = (level: LogLevel, event: string, fields: LogFields = {}, cause?: unknown): void => {
    if (levels[level] <= levels[loudest]) write({ level, event, fields, cause });
  };
  return {
    info: (event, fields) => log("info", event, fields),
    warn: (event, fields) => log("warn", event, fields),
    error: (event, fields, cause) => log("error", event, fields, cause),
  };
}

/** The lines of the stack of an error and of its causes. */
function stackLines(cause: unknown, depth = 0): string[] {
  if (!(cause instanceof Error)) return [clean(String(cause))];
  const own = (cause.stack ?? `${cause.name}: ${cause.message}`).split("\n").map(clean);
  if (cause.cause === undefined || depth === 4) return own;
  const [first = "", ...rest] = stackLines(cause.cause, depth + 1);
  return [...own, `caused by ${first}`, ...rest];
}

function jsonLine({ level, event, fields, cause }: Line): string {
  const error = cause === undefined ? {} : { error: stackLines(cause) };
  const line = { time: new Date().toISOString(), level, event: clean(event), ...allowedOf(fields), ...error };
  return `${JSON.stringify(line)}\n`;
}

const writeJson: Write = (line) => void process.stderr.write(jsonLine(line));

async function createPretty(): Promise<Write> {
  const { createConsola } = await import("consola");
  const consola = createConsola({
    level: 3,
    stdout: process.stderr,
    stderr: process.stderr,
    formatOptions: { date: true },
  });
  return ({ level, event, fields, cause }) => {
    const values = Object.entries(allowedOf(fields)).map(([name, value]) => `${name}=${String(value)}`);
    const error = cause === undefined ? [] : ["", ...stackLines(cause)];
    consola[level](`${[clean(event), ...values].join("  ")}${error.join("\n    ")}`);
  };
}
