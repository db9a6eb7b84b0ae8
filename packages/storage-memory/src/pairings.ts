import type { PairingRecord, PairingStore } from "@telex/core/storage";
import type { Verb } from "./gate.ts";
import type { Kept } from "./tables.ts";

/** Devices that ask to be paired, in memory. */
export function createPairingStore(verb: Verb): Kept<PairingStore, "pairings"> {
  /** By the digest of the secret. */
  const pairings = new Map<string, PairingRecord>();

  const dropExpired = (now: number): void => {
    for (const [key, { expiresAt }] of pairings) if (expiresAt <= now) pairings.delete(key);
  };
  const findCode = (codeDigest: string, now: number): PairingRecord | null => {
    dropExpired(now);
    return pairings.values().find((pairing) => pairing.codeDigest === codeDigest && !pairing.confirmed) ?? null;
  };
  const keep = (pairing: PairingRecord): PairingRecord => {
    pairings.set(pairing.secretDigest, pairing);
    return pairing;
  };

  const store: PairingStore = {
    issuePairing: verb(({ now, ...pairing }) => {
      if (findCode(pairing.codeDigest, now) !== null) return "code_taken";
      keep({ ...pairing, userId: null, confirmed: false });
      return "issued";
    }),
    claimPairing: verb(({ codeDigest, userId, now }) => {
      const pairing = findCode(codeDigest, now);
      if (pairing === null || (pairing.userId !== null && pairing.userId !== userId)) return null;
      return keep({ ...pairing, userId });
    }),
    confirmPairing: verb(({ codeDigest, userId, now }) => {
      const pairing = findCode(codeDigest, now);
      return pairing === null || pairing.userId !== userId ? null : keep({ ...pairing, confirmed: true });
    }),
    consumePairing: verb(({ secretDigest, now }) => {
      dropExpired(now);
      const pairing = pairings.get(secretDigest);
      if (pairing === undefined) return { outcome: "missing" };
      if (!pairing.confirmed || pairing.userId === null) return { outcome: "pending", deviceId: pairing.deviceId };
      pairings.delete(secretDigest);
      return { outcome: "confirmed", deviceId: pairing.deviceId, userId: pairing.userId };
    }),
  };
  const table = { all: () => pairings.values(), put: (pairing: PairingRecord) => void keep({ ...pairing }) };
  return { store, tables: { pairings: table } };
}
