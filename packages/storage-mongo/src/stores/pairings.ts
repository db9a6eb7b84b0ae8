import type { PairingRecord, PairingStore } from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { plain } from "../driver/collections.ts";
import { type Documents, recordOf } from "../driver/documents.ts";
import type { Tx } from "../driver/transaction.ts";

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
async function amend(
  tx: Tx,
  { codeDigest, userId, now }: CodeKey,
  change: Partial<Pick<PairingRecord, "confirmed" | "issuedBy" | "issuerEndsAt">>,
): Promise<PairingRecord | null> {
  const pairing = await findCode(tx, codeDigest, now);
  if (pairing === null) return null;
  const isOwn = pairing.userId === userId || (change.confirmed !== true && pairing.userId === null);
  if (!isOwn) return null;
  const amended = { ...pairing, userId, ...change };
  tx.put("pairings", amended);
  return recordOf("pairings", amended);
}

/** A server of the version before writes no end. */
const endOfIssuer = ({ issuerEndsAt }: Partial<Pick<PairingRecord, "issuerEndsAt">>): number | null =>
  issuerEndsAt ?? null;

async function consume(tx: Tx, secretDigest: string, now: number): ReturnType<PairingStore["consumePairing"]> {
  const pairing = await tx.find("pairings", secretDigest);
  if (pairing === null || pairing.expiresAt <= now) return { outcome: "missing" };
  const { deviceId, userId, issuedBy } = pairing;
  if (!pairing.confirmed || userId === null) return { outcome: "pending", deviceId };
  tx.drop("pairings", secretDigest);
  return { outcome: "confirmed", deviceId, userId, issuedBy, issuerEndsAt: endOfIssuer(pairing) };
}

/** Devices that ask to be paired. */
export const createPairingStore = ({ batches: { write } }: StoreDeps): PairingStore => ({
  issuePairing({ now, ...fields }) {
    return write(`code ${fields.codeDigest}`, async (tx) => {
      if ((await findCode(tx, fields.codeDigest, now)) !== null) return "code_taken";
      await tx.dropAll("pairings", { expiresAt: { $lte: now } });
      const open = { userId: null, confirmed: false, issuedBy: null, issuerEndsAt: null };
      tx.put("pairings", plain("pairings", { ...fields, ...open }));
      return "issued";
    });
  },
  claimPairing: (key) => write(`code ${key.codeDigest}`, (tx) => amend(tx, key, {})),
  confirmPairing: ({ issuedBy, issuerEndsAt, ...key }) =>
    write(`code ${key.codeDigest}`, (tx) => amend(tx, key, { confirmed: true, issuedBy, issuerEndsAt })),
  consumePairing: ({ secretDigest, now }) => write(`pairing ${secretDigest}`, (tx) => consume(tx, secretDigest, now)),
});
