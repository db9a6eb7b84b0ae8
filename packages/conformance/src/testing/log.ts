import { inspect } from "node:util";
import { type Logger, securityEvents } from "@telex/core";

/** A log that keeps its lines, one for each event: `warn ws.too_slow {"deviceId":"hall"} <cause>`. */
export interface LogCollector extends Logger {
  /** Everything but the events of the log of security. */
  readonly lines: string[];
  /** The events of the log of security. */
  readonly security: string[];
}

/**
 * Creates a log that keeps its lines.
 * @example
 * const log = createLogCollector();
 * log.warn("disk.slow", { seconds: 3 });
 * log.lines; // ['warn disk.slow {"seconds":3}']
 */
export function createLogCollector(): LogCollector {
  const lines: string[] = [];
  const security: string[] = [];
  const keep =
    (level: string) =>
    (event: string, fields: object = {}, cause?: unknown) => {
      const shown = cause === undefined ? "" : ` ${inspect(cause, { depth: 8 })}`;
      const isSecurity = securityEvents.some((known) => known === event);
      (isSecurity ? security : lines).push(`${level} ${event} ${JSON.stringify(fields)}${shown}`);
    };
  return { lines, security, info: keep("info"), warn: keep("warn"), error: keep("error") };
}
