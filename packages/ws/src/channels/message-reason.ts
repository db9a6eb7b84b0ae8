import { type SegmentInput, TelexError } from "@telex/core";
import type { Issue } from "@telex/core/transport";

const kinds: Readonly<Record<SegmentInput["type"], true>> = {
  text: true,
  image: true,
  file: true,
  at: true,
  reply: true,
};

/** Shortens a text of the caller for an error message. */
export const shorten = (text: string): string => (text.length > 64 ? `${text.slice(0, 64).toWellFormed()}…` : text);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const malformed = (): TelexError => new TelexError("invalid_request", { reason: "message_malformed" });

function unknownSegment(type: string): TelexError {
  const params = { type: shorten(type), known: Object.keys(kinds).join(", ") };
  return new TelexError("invalid_request", { reason: "segment_unknown", params });
}

function explainSegment(segment: unknown): TelexError | null {
  if (!isRecord(segment)) return malformed();
  const { type, data } = segment;
  if (typeof type !== "string") return malformed();
  if (!Object.hasOwn(kinds, type)) return unknownSegment(type);
  return isRecord(data) ? null : malformed();
}

/** Describes a malformed message; null if the form is valid. */
function explainForm(message: unknown): TelexError | null {
  if (typeof message === "string") return null;
  if (!Array.isArray(message)) return malformed();
  for (const segment of message) {
    const reason = explainSegment(segment);
    if (reason !== null) return reason;
  }
  return null;
}

/** The bounds of a message have their own error texts. */
function boundOf({ path, problem }: Issue): "segments_too_many" | "text_too_long" | null {
  if (path === "message" && problem === "too_many") return "segments_too_many";
  const isText = path === "message" || path.endsWith(".text");
  return isText && problem === "too_long" ? "text_too_long" : null;
}

function explainBound(issue: Issue): TelexError | null {
  const reason = boundOf(issue);
  return reason === null ? null : new TelexError("invalid_request", { reason, params: issue.params });
}

/** Replaces an error about the form of a message with a more exact one. Returns other errors unchanged. */
export function explainMessage(cause: unknown, message: unknown): unknown {
  if (!TelexError.is(cause) || cause.code !== "invalid_request" || cause.issues === undefined) return cause;
  if (cause.issues.some(({ path }) => path !== "message" && !path.startsWith("message."))) return cause;
  const [first] = cause.issues;
  return (first === undefined ? null : explainBound(first)) ?? explainForm(message) ?? cause;
}
