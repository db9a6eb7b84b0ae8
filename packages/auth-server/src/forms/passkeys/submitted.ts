import { TelexError } from "@telex/core";
import { z } from "zod";
import { passkeyId } from "../../passkeys/responses.ts";

/** The passkey that the script has put into a form; undefined if it was submitted without one. */
function submittedPasskey(fields: ReadonlyMap<string, string>): unknown {
  const text = fields.get("passkey") ?? "";
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new TelexError("invalid_request", { reason: "passkey_refused" });
  }
}

/**
 * Reads the passkey of a form, if it was submitted with one. A wrong one is refused as a whole, because the form has no line for it.
 * @throws TelexError `invalid_request` with `passkey_refused`
 */
export function readPasskey<S extends z.ZodType>(
  schema: S,
  fields: ReadonlyMap<string, string>,
): z.output<S> | undefined {
  const submitted = submittedPasskey(fields);
  if (submitted === undefined) return undefined;
  const { success, data } = schema.safeParse(submitted);
  if (!success) throw new TelexError("invalid_request", { reason: "passkey_refused" });
  return data;
}

/** The id of the passkey of a form that was refused: it opens nothing, and the browser can forget it. Null without one. */
export function submittedId(fields: ReadonlyMap<string, string>): string | null {
  try {
    return readPasskey(z.object({ id: passkeyId }), fields)?.id ?? null;
  } catch {
    return null;
  }
}
