import { parseJson, type ReasonKey } from "@telex/core/transport";
import { numberSource } from "./number-source.ts";

/** An `identifier` as JSON text, so that it is echoed exactly as it arrived. */
export type Identifier = string;

/** The identifier of a frame without an identifier, or with one that is not a string or a number. */
export const noIdentifier: Identifier = "null";

/** A parsed text frame. */
export type Reading =
  | { readonly identifier: Identifier; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly identifier: Identifier; readonly reason: Extract<ReasonKey, "command_not_json" | "command_not_object"> };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A cheap test for texts that may contain a number that JSON would write in another way. */
const oddNumber = /\d[.Ee]|-0/;

function identifierOf(value: unknown, text: string): Identifier {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "number") return noIdentifier;
  if (Number.isSafeInteger(value) && !oddNumber.test(text)) return String(value);
  return numberSource(text, "identifier") ?? JSON.stringify(value);
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Parses a frame (interface 4.8) from its text, or from null for a binary one. Never throws. */
export function readFrame(text: string | null): Reading {
  const value = text === null ? undefined : parse(text);
  if (text === null || value === undefined) return { identifier: noIdentifier, reason: "command_not_json" };
  if (!isRecord(value)) return { identifier: noIdentifier, reason: "command_not_object" };
  return { identifier: identifierOf(value["identifier"], text), fields: value };
}

/** Members with plain values, followed by a complete `identifier`, at the top of an object. */
const plainStart =
  /^\s*\{(?:\s*"[^"\\]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^"{}[\],\s]+)\s*,)*?\s*"identifier"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)\s*[,}]/;

/** Characters of an unparsed frame that are searched for its identifier. */
const shownStart = 1024;

/** The identifier of a frame, without parsing it: `null` if the first 1 KiB does not contain it. */
export function peekIdentifier(text: string | null): Identifier {
  const source = plainStart.exec(text?.slice(0, shownStart) ?? "")?.[1];
  if (source === undefined) return noIdentifier;
  return identifierOf(parse(source), `{"identifier":${source}}`);
}

/** The result of a successful command (interface 4.8). */
export const resultFrame = (type: string, identifier: Identifier, data: unknown): string =>
  `{"type":"${type}","code":200,"identifier":${identifier},"data":${JSON.stringify(data) ?? "null"},"msg":"success"}`;

/** A frame that precedes the result. */
export const progressFrame = (type: string, identifier: Identifier, data: unknown): string =>
  `{"type":"${type}","code":200,"identifier":${identifier},"data":${JSON.stringify(data)}}`;

/** The response to a failed command (interface 7.2). */
export const failureFrame = (type: string, code: number, identifier: Identifier, msg: string): string =>
  `{"type":"${type}","code":${code},"identifier":${identifier},"msg":${JSON.stringify(msg)}}`;

/** The response to every command on an unauthenticated connection (interface 7.2). */
export const loginFailFrame = (identifier: Identifier): string =>
  `{"type":"LoginFail","code":400,"identifier":${identifier}}`;

/** The frame of an event. */
export const eventFrame = (type: string, data: unknown): string =>
  `{"type":"${type}","code":200,"data":${JSON.stringify(data)}}`;
