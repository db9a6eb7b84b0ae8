import type { Version } from "../wire/dialect.ts";
import { readJson } from "../wire/frames.ts";
import type { Weighed } from "./connections/load.ts";
import { ActionError, frameOf, type Result } from "./results.ts";

/** Bytes that count as one more call: reading this much costs as much as a call does. */
export const callSize = 32 * 1024;

/** Describes the fault of a frame. */
export function wrongFrame(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): ActionError {
  const [issue] = issues;
  return new ActionError("bad_request", `${issue?.path.join(".") || "The frame"}: ${issue?.message ?? "wrong"}.`);
}

/** The echo of an untrusted frame. */
export function echoOf(frame: unknown): unknown {
  const echo: unknown = typeof frame === "object" && frame !== null ? Reflect.get(frame, "echo") : undefined;
  return echo;
}

/** The frame of a result as a text, without an echo that is nested too deeply to be written. */
export function writeFrame(version: Version, result: Result, echo: unknown): string {
  try {
    return JSON.stringify(frameOf(version, result, echo));
  } catch {
    return JSON.stringify(frameOf(version, result, undefined));
  }
}

/** An echo at the end of a frame, where most frameworks write it. */
const lastEcho = /"echo" ?: ?("[^"\\]{0,128}"|\d{1,16}) ?\}$/;

/** The echo of a frame that is refused before it is parsed: of a large one only if it is short and at its end. */
export const echoUnread = ({ text, size }: Weighed): unknown =>
  size < callSize ? echoOf(readJson(text)) : readJson(lastEcho.exec(text.slice(-256))?.[1] ?? "");
