import type { PairingRecord, PairingState, PairingStore } from "@telex/core/storage";
import type { Verb } from "../engine/gate.ts";
import type { Kept } from "../engine/tables.ts";

/** All pairings, by the digests of their secrets. */
interface Pairings {
  readonly all: () => Iterable<PairingRecord>;
  readonly find: (secretDigest: string, now: number) => PairingRecord | null;
  /** The unconfirmed pairing with this code. */
  readonly findCode: (codeDigest: string, now: number) => PairingRecord | null;
  readonly keep: (pairing: PairingRecord) => PairingRecord;
  readonly drop: (pairing: PairingRecord) => void;
}

function createPairings(): Pairings {
  const pairings = new Map<string, PairingRecord>();
  const dropExpired = (now: number): void => {
    for (const [key, { expiresAt }] of pairings) if (expiresAt <= now) pairings.delete(key);
  };
  return {
    all: () => pairings.values(),
    find(secretDigest, now) {
      dropExpired(now);
      return pairings.get(secretDigest) ?? null;
    },
    findCode(codeDigest, now) {
      dropExpired(now);
      return pairings.values().find((pairing) => pairing.codeDigest === codeDigest && !pairing.confirmed) ?? null;
    },
    keep(pairing) {
      pairings.set(pairing.secretDigest, pairing);
      return pairing;
    },
    drop: ({ secretDigest }) => void pairings.delete(secretDigest),
  };
}

function stateOf(pairing: PairingRecord | null): PairingState {
  if (pairing === null) return { outcome: "missing" };
  const { deviceId, userId, issuedBy, issuerEndsAt } = pairing;
  if (!pairing.confirmed || userId === null) return { outcome: "pending", deviceId };
  return { outcome: "confirmed", deviceId, userId, issuedBy, issuerEndsAt };
}

const verbsOf = (verb: Verb, { find, findCode, keep, drop }: Pairings): PairingStore => ({
  issuePairing: verb(({ now, ...pairing }) => {
    if (findCode(pairing.codeDigest, now) !== null) return "code_taken";
    keep({ ...pairing, userId: null, confirmed: false, issuedBy: null, issuerEndsAt: null });
    return "issued";
  }),
  claimPairing: verb(({ codeDigest, userId, now }) => {
    const pairing = findCode(codeDigest, now);
    if (pairing === null || (pairing.userId !== null && pairing.userId !== userId)) return null;
    return keep({ ...pairing, userId });
  }),
  confirmPairing: verb(({ codeDigest, userId, now, issuedBy, issuerEndsAt }) => {
    const pairing = findCode(codeDigest, now);
    if (pairing === null || pairing.userId !== userId) return null;
    return keep({ ...pairing, confirmed: true, issuedBy, issuerEndsAt });
  }),
  findPairing: verb(({ secretDigest, now }) => stateOf(find(secretDigest, now))),
  consumePairing: verb(({ secretDigest, now }) => {
    const pairing = find(secretDigest, now);
    const state = stateOf(pairing);
    if (pairing !== null && state.outcome === "confirmed") drop(pairing);
    return state;
  }),
});

export function createPairingStore(verb: Verb): Kept<PairingStore, "pairings"> {
  const pairings = createPairings();
  const table = { all: pairings.all, put: (pairing: PairingRecord) => void pairings.keep({ ...pairing }) };
  return { store: verbsOf(verb, pairings), tables: { pairings: table } };
}
