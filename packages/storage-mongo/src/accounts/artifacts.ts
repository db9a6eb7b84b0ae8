import type { ArtifactConditions, ArtifactKey, ArtifactPut, ArtifactRecord, GrantStore } from "@telex/core/storage";
import type { Db } from "mongodb";
import { asPrimary, collectionOf, plain } from "../driver/collections.ts";
import { type Documents, idFor, recordOf } from "../driver/documents.ts";
import { oneText } from "../driver/schema.ts";
import type { Tx } from "../driver/transaction.ts";
import type { StoreDeps } from "../stores/deps.ts";

type Artifact = Documents["artifacts"];

const idOf = ({ model, digest }: ArtifactKey) => idFor([model, digest]);

const live = (artifact: Artifact | null | undefined, now: number): ArtifactRecord | null =>
  artifact !== null && artifact !== undefined && artifact.until > now ? recordOf("artifacts", artifact) : null;

const keep = (tx: Tx, artifact: ArtifactRecord): ArtifactRecord => {
  tx.put("artifacts", plain("artifacts", artifact));
  return artifact;
};

const findCode = async (tx: Tx, userCodeDigest: string): Promise<Artifact | null> =>
  (await tx.list("artifacts", { userCodeDigest: oneText(userCodeDigest) }, { limit: 1 }))[0] ?? null;

/** Deletes the unused successor of an artifact; false if that was used. */
async function replaceSuccessor(tx: Tx, { model, digest }: ArtifactPut, follows: string): Promise<boolean> {
  const before = await tx.find("artifacts", idOf({ model, digest: follows }));
  if (before === null) return true;
  const existing =
    before.successor === null ? null : await tx.find("artifacts", idOf({ model, digest: before.successor }));
  if (existing !== null && existing.digest !== digest) {
    if (existing.consumedAt !== null) return false;
    tx.drop("artifacts", idOf(existing));
  }
  tx.put("artifacts", { ...before, successor: digest });
  return true;
}

/** Writes the grant, which is the root of its artifacts. False if it has ended. */
async function touchGrant(tx: Tx, grantId: string): Promise<boolean> {
  const grant = await tx.find("grants", grantId);
  if (grant !== null) tx.put("grants", { ...grant, turn: (grant.turn ?? 0) + 1 });
  return grant !== null;
}

/** Drops the artifacts of the grant that end first, so that at most `limit` are left, including the one with this digest. */
async function dropFirst(tx: Tx, own: { readonly grantId: string; readonly digest: string }, limit: number) {
  const others = { grantId: oneText(own.grantId), digest: { $ne: own.digest } };
  const first = await tx.list("artifacts", others, { sort: { until: -1, digest: 1 }, skip: limit - 1 });
  for (const one of first) tx.drop("artifacts", idOf(one));
}

async function put(
  tx: Tx,
  artifact: ArtifactPut,
  { limit, follows }: ArtifactConditions,
): ReturnType<GrantStore["putArtifact"]> {
  const { grantId, userCodeDigest, model, digest } = artifact;
  if (grantId !== null && !(await touchGrant(tx, grantId))) return "grant_ended";
  const before = await tx.find("artifacts", idOf(artifact));
  const holder = userCodeDigest === null ? null : await findCode(tx, userCodeDigest);
  if (holder !== null && (holder.model !== model || holder.digest !== digest)) return "user_code_taken";
  if (follows !== undefined && !(await replaceSuccessor(tx, artifact, follows))) return "superseded";
  const { claimedBy, consumedAt, successor } = before ?? { claimedBy: null, consumedAt: null, successor: null };
  keep(tx, { ...artifact, claimedBy, consumedAt, successor });
  if (grantId !== null) await dropFirst(tx, { grantId, digest }, limit);
  return "put";
}

/** Deletes expired artifacts, and returns how many. */
export async function sweepArtifacts(db: Db, now: number, limit: number): Promise<number> {
  const artifacts = collectionOf(db, "artifacts");
  const ended = await artifacts.find({ until: { $lte: now } }, { limit, projection: { _id: 1 } }).toArray();
  if (ended.length === 0) return 0;
  const ids = ended.map(({ _id }) => _id);
  return (await artifacts.deleteMany({ _id: { $in: ids }, until: { $lte: now } })).deletedCount;
}

type ArtifactVerbs = Pick<
  GrantStore,
  "putArtifact" | "findArtifact" | "findUserCode" | "claimUserCode" | "consumeArtifact" | "dropArtifact"
>;

const rootOf = ({ model, digest }: ArtifactKey): string => `artifact ${model} ${digest}`;

export function createArtifactVerbs({ db, batches }: StoreDeps): ArtifactVerbs {
  const artifacts = collectionOf(db, "artifacts");
  const { write, single } = batches;
  return {
    putArtifact({ ...artifact }, { ...conditions }) {
      const root = artifact.grantId === null ? rootOf(artifact) : `grant ${artifact.grantId}`;
      return write(root, (tx) => put(tx, artifact, conditions));
    },
    // The read must see that an artifact was deleted or used.
    findArtifact: (key, now) =>
      single(async () =>
        live(
          "digest" in key
            ? await artifacts.findOne({ _id: idOf(key) }, asPrimary)
            : await artifacts.findOne({ model: key.model, uid: oneText(key.uid) }),
          now,
        ),
      ),
    findUserCode: (userCodeDigest, now) =>
      single(async () => live(await artifacts.findOne({ userCodeDigest: oneText(userCodeDigest) }), now)),
    claimUserCode: ({ userCodeDigest, by, now }) =>
      write(`code ${userCodeDigest}`, async (tx) => {
        const artifact = live(await findCode(tx, userCodeDigest), now);
        if (artifact === null || artifact.consumedAt !== null || (artifact.claimedBy ?? by) !== by) return null;
        return keep(tx, { ...artifact, claimedBy: by });
      }),
    consumeArtifact: ({ now, ...key }) =>
      write(rootOf(key), async (tx) => {
        const artifact = live(await tx.find("artifacts", idOf(key)), now);
        if (artifact === null) return { outcome: "missing" };
        if (artifact.consumedAt !== null) return { outcome: "used", artifact };
        return { outcome: "consumed", artifact: keep(tx, { ...artifact, consumedAt: now }) };
      }),
    dropArtifact: (key) => {
      const id = idOf(key);
      return write(rootOf(key), async (tx) => {
        if ((await tx.find("artifacts", id)) === null) return false;
        tx.drop("artifacts", id);
        return true;
      });
    },
  };
}
