import { readContent, type ReadSegment } from "../../records/content.ts";
import type { GatewayPart } from "../../networks/gateway.ts";
import type { IncomingSegment } from "../../networks/incoming.ts";

/** The part of a segment that every network preserves: neither pictures, exact white space nor quotes. */
export function traceOf({ text, at, image, file }: ReadSegment): string {
  if (text !== undefined) return text.text;
  // A mention of a member without an ID was sent as a text.
  if (at !== undefined) return at.ext === "" ? `@${at.name} ` : ` @${at.ext} `;
  if (image !== undefined) return " [image] ";
  return file === undefined ? "" : " [file] ";
}

/** As {@link traceOf}, of a segment that has come from a network. */
export function traceOfIncoming({ type, data }: IncomingSegment): string {
  if (type === "text") return data.text;
  if (type === "at") return ` @${data.ext} `;
  return type === "reply" ? "" : ` [${type}] `;
}

/** As {@link traceOf}, of a part that was given to a network. */
export function traceOfPart(part: GatewayPart): string {
  if (part.kind === "text") return part.text;
  if (part.kind === "at") return ` @${part.ext} `;
  return part.kind === "reply" ? "" : ` [${part.kind}] `;
}

/** Joins the traces of a message. Messages that differ only in white space get the same result. */
export const normalTrace = (traces: readonly string[]): string => traces.join("").replaceAll(/\s+/g, " ").trim();

export const traceOfContent = (content: string): string => normalTrace(readContent(content).map(traceOf));
