import type { AdapterPayload } from "oidc-provider";
import { z } from "zod";
import { digestOf } from "../credentials/secrets.ts";

/** Replaces the value of an artifact, which its payload repeats in addresses. */
const hole = "{value}";

const payloadSchema = z.custom<AdapterPayload>((value) => typeof value === "object" && value !== null);

/** Writes a payload as it is stored: without the value of the artifact, which would open something, and without its user code. */
export function writePayload(value: string, { jti: _value, userCode: _code, ...payload }: AdapterPayload): string {
  return JSON.stringify(payload).replaceAll(value, hole);
}

/** Reads a stored payload for a caller that knows the value. */
export const readPayload = (value: string, stored: string): AdapterPayload => ({
  ...payloadSchema.parse(JSON.parse(stored.replaceAll(hole, value))),
  jti: value,
});

/** Reads a stored payload without the value. Write it back with {@link rewritePayload}. */
export const readAnonymous = (stored: string): AdapterPayload => payloadSchema.parse(JSON.parse(stored));

/** Writes a payload that {@link readAnonymous} has read. */
export const rewritePayload = (payload: AdapterPayload): string => JSON.stringify(payload);

/** The digest of a code that a person types: case and separators do not matter. */
export const digestOfUserCode = (code: string): string => digestOf(code.toUpperCase().replaceAll(/[^A-Z]/g, ""));
