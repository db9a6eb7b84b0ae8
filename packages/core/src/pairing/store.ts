/** A device that asks to be paired. Only digests of its code and its secret are kept. */
export interface PairingRecord {
  readonly codeDigest: string;
  readonly secretDigest: string;
  readonly deviceId: string;
  readonly name: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  /** The user who looked the code up first; nobody else can from then on. */
  readonly userId: number | null;
  readonly confirmed: boolean;
}

/**
 * Devices that ask to be paired. Every verb is atomic among all callers of all processes; a promise resolves when its
 * change is durable. What has expired at `now` (Unix milliseconds) is not there for any verb, and may be deleted by any.
 */
export interface PairingStore {
  /** Keeps a new pairing; `code_taken` where one with this code has not expired. */
  issuePairing(
    pairing: Omit<PairingRecord, "userId" | "confirmed"> & { readonly now: number },
  ): Promise<"issued" | "code_taken">;

  /** Ties a code to a user, and answers its pairing; null where there is none or another user has it. */
  claimPairing(claim: {
    readonly codeDigest: string;
    readonly userId: number;
    readonly now: number;
  }): Promise<PairingRecord | null>;

  /** Confirms a pairing that this user has claimed, and frees its code; null where there is none. */
  confirmPairing(confirmation: {
    readonly codeDigest: string;
    readonly userId: number;
    readonly now: number;
  }): Promise<PairingRecord | null>;

  /** Takes a confirmed pairing away. Of N callers at once exactly one MUST get `confirmed`. */
  consumePairing(key: {
    readonly secretDigest: string;
    readonly now: number;
  }): Promise<
    | { readonly outcome: "confirmed"; readonly deviceId: string; readonly userId: number }
    | { readonly outcome: "pending"; readonly deviceId: string }
    | { readonly outcome: "missing" }
  >;
}
