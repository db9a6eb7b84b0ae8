import type { PairingRecord, PairingStore } from "@telex/core/storage";
import { plain, recordOf, type StoreDeps } from "./deps.ts";
import type { Documents } from "./documents.ts";
import type { Tx } from "./transaction.ts";

interface CodeKey {
  readonly codeDigest: string;
  readonly userId: number;
  readonly now: number;
}

/** The pairing with this code that was not confirmed. */
async function findCode(tx: Tx, codeDigest: string, now: number): Promise<Documents["pairings"] | null> {
  const filter = { codeDigest, confirmed: false, expiresAt: { $gt: now } };
  return (await tx.list("pairings", filter, { limit: 1 }))[0] ?? null;
}

/** Changes the pairing of a code, unless another user has it. */
async function amend(tx: Tx, key: CodeKey, mayBeFree: boolean, confirmed: boolean): Promise<PairingRecord | null> {
  const pairing = await findCode(tx, key.codeDigest, key.now);
  if (pairing === null) return null;
  const isOwn = pairing.userId === key.userId || (mayBeFree && pairing.userId === null);
  if (!isOwn) return null;
  const amended = { ...pairing, userId: key.userId, confirmed };
  tx.put("pairings", amended);
  return recordOf("pairings", amended);
}

async function consume(tx: Tx, secretDigest: string, now: number): ReturnType<PairingStore["consumePairing"]> {
  const pairing = await tx.find("pairings", secretDigest);
  if (pairing === null || pairing.expiresAt <= now) return { outcome: "missing" };
  const { deviceId, userId } = pairing;
  if (!pairing.confirmed || userId === null) return { outcome: "pending", deviceId };
  tx.drop("pairings", secretDigest);
  return { outcome: "confirmed", deviceId, userId };
}

/** Devices that ask to be paired. */
export const createPairingStore = ({ batches: { write } }: StoreDeps): PairingStore => ({
  issuePairing({ now, ...fields }) {
    return write(`code ${fields.codeDigest}`, async (tx) => {
      if ((await findCode(tx, fields.codeDigest, now)) !== null) return "code_taken";
      await tx.dropAll("pairings", { expiresAt: { $lte: now } });
      tx.put("pairings", plain("pairings", { ...fields, userId: null, confirmed: false }));
      return "issued";
    });
  },
  claimPairing: (key) => write(`code ${key.codeDigest}`, (tx) => amend(tx, key, true, false)),
  confirmPairing: (key) => write(`code ${key.codeDigest}`, (tx) => amend(tx, key, false, true)),
  consumePairing: ({ secretDigest, now }) => write(`pairing ${secretDigest}`, (tx) => consume(tx, secretDigest, now)),
});
