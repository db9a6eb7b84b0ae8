/** Fields of a log line: no objects, so that no unchecked value gets into the log. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Where an instance reports what happens. An event is one short word in lower case with dots, such as `token.revoked`. */
export interface Logger {
  /** Something that is as it should be. */
  info(event: string, fields?: LogFields): void;
  /** Something that an operator may want to look at. */
  warn(event: string, fields?: LogFields): void;
  /** `cause` is for this place only: it is never shown to a caller. */
  error(event: string, fields?: LogFields, cause?: unknown): void;
}

/** Says nothing. */
export const silentLogger: Logger = { info() {}, warn() {}, error() {} };

const tokenPattern = /tlx[a-z]_[0-9A-Za-z]{8,}|\b[Bb]earer\s+\S+|access(?:_|%5[Ff])token(?:=|%3[Dd])[^&\s"]+/g;

/** Replaces whatever looks like an access token: a second net under "tokens are not logged". */
export const redact = (text: string): string => text.replace(tokenPattern, "[redacted]");
