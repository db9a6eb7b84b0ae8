import { z } from "zod";
import { TelexError, errorCodes, reasonKeys } from "@telex/ground/errors";
import type { MessageRecord } from "../../records/messages.ts";

/** The end of a message: where it is stored, or the error that its sender gets. */
export type SendOutcome = { readonly message: MessageRecord } | { readonly cause: unknown };

export const unknownOutcome = (): TelexError => new TelexError("delivery_unknown");
export const partlySent = (): TelexError => new TelexError("delivery_unknown", { reason: "bot_partly" });
export const offline = (): TelexError => new TelexError("bot_offline");

const failure = z.object({
  code: z.enum(errorCodes),
  reason: z.enum(reasonKeys).nullable(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** An error as a failed row of the outbox stores it. */
export function writeFailure(cause: unknown): string {
  const { code, reason = null, params } = TelexError.from(cause);
  return JSON.stringify({ code, reason, params: { ...params } });
}

export function readFailure(text: string): TelexError {
  const { code, reason, params } = failure.parse(JSON.parse(text));
  return TelexError.of(code, { params, ...(reason !== null && { reason }) });
}
