/** Fields of a log line. Objects are not allowed, so that no unchecked value gets into the log. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The log of an instance. An event is a short name in lower case with dots, such as `token.revoked`. */
export interface Logger {
  /** Logs a normal event. */
  info(event: string, fields?: LogFields): void;
  /** Logs an event that may need the attention of an operator. */
  warn(event: string, fields?: LogFields): void;
  /** Logs an error. `cause` is never shown to a caller. */
  error(event: string, fields?: LogFields, cause?: unknown): void;
}

/** Discards all events. The default of an instance without a logger. */
export const silentLogger: Logger = { info() {}, warn() {}, error() {} };

const tokenPattern = /tlx[a-z]_[0-9A-Za-z]{8,}|\b[Bb]earer\s+\S+|access(?:_|%5[Ff])token(?:=|%3[Dd])[^&\s"]+/g;

/** Replaces everything that looks like an access token, in addition to the rule that tokens are not logged. */
export const redact = (text: string): string => text.replace(tokenPattern, "[redacted]");
