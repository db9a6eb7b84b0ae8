import type { Telex } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";

/** Writes a refused sign-in to the log of security, once a minute for an account and an address. */
export function noteRefused({ security }: Pick<Telex, "security">, userId: number | null, request: CallRequest): void {
  const address = request.address();
  security.noteOnce("account.refused", `${userId ?? 0} ${address}`, { userId, address });
}
