import type { PairingRecord } from "../records/pairing.ts";

/** A user who has typed a code, and when (Unix milliseconds). */
interface PairingClaim extends Pick<PairingRecord, "codeDigest"> {
  readonly userId: number;
  readonly now: number;
}

/** The secret of a device, and when the device sends it (Unix milliseconds). */
interface PairingSecret extends Pick<PairingRecord, "secretDigest"> {
  readonly now: number;
}

/** The state of a pairing, for its device. */
export type PairingState =
  | ({ readonly outcome: "confirmed"; readonly userId: number } & Pick<
      PairingRecord,
      "deviceId" | "issuedBy" | "issuerEndsAt"
    >)
  | { readonly outcome: "pending"; readonly deviceId: string }
  | { readonly outcome: "missing" };

/**
 * Devices that request a pairing. Every verb is atomic among all callers of all processes; a promise resolves when its
 * change is durable. For every verb, pairings that have expired at `now` (Unix milliseconds) do not exist. Any verb may
 * delete them.
 */
export interface PairingStore {
  /** Stores a new pairing; `code_taken` if one with this code has not expired. */
  issuePairing(
    pairing: Omit<PairingRecord, "userId" | "confirmed" | "issuedBy" | "issuerEndsAt"> & { readonly now: number },
  ): Promise<"issued" | "code_taken">;

  /** Assigns a code to a user, and returns its pairing; null if the code does not exist or another user has it. */
  claimPairing(claim: PairingClaim): Promise<PairingRecord | null>;

  /** Confirms a pairing that this user has claimed, and frees its code; null if the user has claimed none. */
  confirmPairing(
    confirmation: PairingClaim & Pick<PairingRecord, "issuedBy" | "issuerEndsAt">,
  ): Promise<PairingRecord | null>;

  /** The state of a pairing, which stays as it is. */
  findPairing(key: PairingSecret): Promise<PairingState>;

  /** Removes a confirmed pairing. Of N simultaneous callers, exactly one MUST get `confirmed`. */
  consumePairing(key: PairingSecret): Promise<PairingState>;
}
