import type { PairingRecord, PairingState, PairingStore } from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, plain } from "../driver/collections.ts";
import { type Documents, recordOf } from "../driver/documents.ts";
import type { Tx } from "../driver/transaction.ts";

interface CodeKey {
  readonly codeDigest: string;
  readonly userId: number;
  readonly now: number;
}

/** The unconfirmed pairing with this code. */
async function findCode(tx: Tx, codeDigest: string, now: number): Promise<Documents["pairings"] | null> {
  const filter = { codeDigest, confirmed: false, expiresAt: { $gt: now } };
  return (await tx.list("pairings", filter, { limit: 1 }))[0] ?? null;
}

/** Changes the pairing of a code, unless another user has claimed it. */
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

/** Servers of the previous version write no end. */
const endOfIssuer = ({ issuerEndsAt }: Partial<Pick<PairingRecord, "issuerEndsAt">>): number | null =>
  issuerEndsAt ?? null;

function stateOf(pairing: Documents["pairings"] | null, now: number): PairingState {
  if (pairing === null || pairing.expiresAt <= now) return { outcome: "missing" };
  const { deviceId, userId, issuedBy } = pairing;
  if (!pairing.confirmed || userId === null) return { outcome: "pending", deviceId };
  return { outcome: "confirmed", deviceId, userId, issuedBy, issuerEndsAt: endOfIssuer(pairing) };
}

async function consume(tx: Tx, secretDigest: string, now: number): Promise<PairingState> {
  const state = stateOf(await tx.find("pairings", secretDigest), now);
  if (state.outcome === "confirmed") tx.drop("pairings", secretDigest);
  return state;
}

/** The fields of a pairing until a person enters its code. */
const unclaimed = { userId: null, confirmed: false, issuedBy: null, issuerEndsAt: null };

/** Devices that ask to be paired. */
export const createPairingStore = ({ db, batches: { write, single } }: StoreDeps): PairingStore => ({
  issuePairing: ({ now, ...fields }) =>
    write(`code ${fields.codeDigest}`, async (tx) => {
      if ((await findCode(tx, fields.codeDigest, now)) !== null) return "code_taken";
      await tx.dropAll("pairings", { expiresAt: { $lte: now } });
      tx.put("pairings", plain("pairings", { ...fields, ...unclaimed }));
      return "issued";
    }),
  claimPairing: (key) => write(`code ${key.codeDigest}`, (tx) => amend(tx, key, {})),
  confirmPairing: ({ issuedBy, issuerEndsAt, ...key }) =>
    write(`code ${key.codeDigest}`, (tx) => amend(tx, key, { confirmed: true, issuedBy, issuerEndsAt })),
  findPairing: ({ secretDigest, now }) =>
    single(async () => stateOf(await collectionOf(db, "pairings").findOne({ _id: secretDigest }), now)),
  consumePairing: ({ secretDigest, now }) => write(`pairing ${secretDigest}`, (tx) => consume(tx, secretDigest, now)),
});
