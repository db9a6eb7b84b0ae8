import { parseJson, type ReasonKey } from "@telex/core/transport";
import { numberSource } from "./number-source.ts";

/** An `identifier` as JSON text: what goes back is, digit for digit, what came. */
export type Identifier = string;

/** The identifier of a frame that has none, or none that is a string or a number. */
export const noIdentifier: Identifier = "null";

/** What a text frame of a client says. */
export type Reading =
  | { readonly identifier: Identifier; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly identifier: Identifier; readonly reason: Extract<ReasonKey, "command_not_json" | "command_not_object"> };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What any number has somewhere that JSON writes otherwise than it was written, where it is an integer that is kept exactly. */
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

/** Reads a frame (interface 4.8): its text, or null for a binary one. Never throws. */
export function readFrame(text: string | null): Reading {
  const value = text === null ? undefined : parse(text);
  if (text === null || value === undefined) return { identifier: noIdentifier, reason: "command_not_json" };
  if (!isRecord(value)) return { identifier: noIdentifier, reason: "command_not_object" };
  return { identifier: identifierOf(value["identifier"], text), fields: value };
}

/** Members with plain values, then an `identifier` with its whole value: all at the top of an object. */
const plainStart =
  /^\s*\{(?:\s*"[^"\\]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^"{}[\],\s]+)\s*,)*?\s*"identifier"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)\s*[,}]/;

/** Characters of a frame that is not parsed in which its identifier is looked for. */
const shownStart = 1024;

/** The identifier of a frame without parsing the frame: `null` where its first 1 KiB does not show it. */
export function peekIdentifier(text: string | null): Identifier {
  const source = plainStart.exec(text?.slice(0, shownStart) ?? "")?.[1];
  if (source === undefined) return noIdentifier;
  return identifierOf(parse(source), `{"identifier":${source}}`);
}

/** The answer to a command that succeeded (interface 4.8). */
export const resultFrame = (type: string, identifier: Identifier, data: unknown): string =>
  `{"type":"${type}","code":200,"identifier":${identifier},"data":${JSON.stringify(data) ?? "null"},"msg":"success"}`;

/** A piece of an answer that is not at its end yet. */
export const progressFrame = (type: string, identifier: Identifier, data: unknown): string =>
  `{"type":"${type}","code":200,"identifier":${identifier},"data":${JSON.stringify(data)}}`;

/** The answer to a command that failed (interface 7.2). */
export const failureFrame = (type: string, code: number, identifier: Identifier, msg: string): string =>
  `{"type":"${type}","code":${code},"identifier":${identifier},"msg":${JSON.stringify(msg)}}`;

/** The answer to every command on a connection that is not authenticated (interface 7.2). */
export const loginFailFrame = (identifier: Identifier): string =>
  `{"type":"LoginFail","code":400,"identifier":${identifier}}`;

/** What a client is told without having asked. */
export const eventFrame = (type: string, data: unknown): string =>
  `{"type":"${type}","code":200,"data":${JSON.stringify(data)}}`;
