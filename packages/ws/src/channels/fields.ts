import { TelexError } from "@telex/core";

/**
 * An id in a field of a frame: a positive whole number below 2^53, or its decimal digits.
 * @throws TelexError `invalid_request` for anything else
 */
export function readId(fields: Readonly<Record<string, unknown>>, name: string): number {
  const value = fields[name];
  const id = typeof value === "string" && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value;
  if (typeof id === "number" && Number.isSafeInteger(id) && id > 0) return id;
  throw new TelexError("invalid_request", { issues: [{ path: name, problem: "id", params: {} }] });
}

/**
 * The same for a field that may be left out, or null.
 * @throws TelexError `invalid_request`
 */
export const readOptionalId = (fields: Readonly<Record<string, unknown>>, name: string): number | null =>
  (fields[name] ?? null) === null ? null : readId(fields, name);
