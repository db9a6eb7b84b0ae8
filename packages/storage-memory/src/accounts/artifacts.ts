import type { ArtifactConditions, ArtifactKey, ArtifactPut, ArtifactRecord, GrantStore } from "@telex/core/storage";
import type { Verb } from "../engine/gate.ts";

/** All artifacts. Only used within a step. */
export interface Artifacts {
  readonly find: (key: ArtifactKey) => ArtifactRecord | null;
  readonly findWhere: (isMeant: (artifact: ArtifactRecord) => boolean) => ArtifactRecord | null;
  readonly of: (grantId: string) => ArtifactRecord[];
  readonly keep: (artifact: ArtifactRecord) => ArtifactRecord;
  readonly drop: (key: ArtifactKey) => boolean;
  readonly dropOf: (grantId: string) => void;
  readonly all: () => Iterable<ArtifactRecord>;
  readonly sweep: (now: number, limit: number) => number;
}

const nameOf = ({ model, digest }: ArtifactKey): string => `${model} ${digest}`;

export function createArtifacts(): Artifacts {
  const artifacts = new Map<string, ArtifactRecord>();
  const drop = (key: ArtifactKey): boolean => artifacts.delete(nameOf(key));
  const of = (grantId: string): ArtifactRecord[] => [...artifacts.values()].filter((one) => one.grantId === grantId);
  return {
    find: (key) => artifacts.get(nameOf(key)) ?? null,
    findWhere: (isMeant) => artifacts.values().find(isMeant) ?? null,
    of,
    keep(artifact) {
      artifacts.set(nameOf(artifact), artifact);
      return artifact;
    },
    drop,
    dropOf: (grantId) => of(grantId).forEach(drop),
    all: () => artifacts.values(),
    sweep(now, limit) {
      const ended = [...artifacts.values()].filter(({ until }) => until <= now).slice(0, limit);
      ended.forEach(drop);
      return ended.length;
    },
  };
}

/** Deletes the unused successor of an artifact; false if that was used. */
function replaceSuccessor(artifacts: Artifacts, { model, digest }: ArtifactPut, follows: string): boolean {
  const before = artifacts.find({ model, digest: follows });
  if (before === null) return true;
  const successor = before.successor === null ? null : artifacts.find({ model, digest: before.successor });
  if (successor !== null && successor.digest !== digest) {
    if (successor.consumedAt !== null) return false;
    artifacts.drop(successor);
  }
  artifacts.keep({ ...before, successor: digest });
  return true;
}

/** Deletes the artifacts of a grant that end first, so that at most `limit` are left. */
function dropFirst(artifacts: Artifacts, { grantId, digest }: ArtifactPut, limit: number): void {
  if (grantId === null) return;
  const others = artifacts.of(grantId).filter((one) => one.digest !== digest);
  const byEnd = others.toSorted((a, b) => b.until - a.until || (a.digest < b.digest ? -1 : 1));
  byEnd.slice(limit - 1).forEach(artifacts.drop);
}

function put(
  artifacts: Artifacts,
  hasGrant: (grantId: string) => boolean,
  artifact: ArtifactPut,
  { limit, follows }: ArtifactConditions,
) {
  const { grantId, userCodeDigest } = artifact;
  if (grantId !== null && !hasGrant(grantId)) return "grant_ended";
  const before = artifacts.find(artifact);
  const holder = userCodeDigest === null ? null : artifacts.findWhere((one) => one.userCodeDigest === userCodeDigest);
  if (holder !== null && holder !== before) return "user_code_taken";
  if (follows !== undefined && !replaceSuccessor(artifacts, artifact, follows)) return "superseded";
  const { claimedBy, consumedAt, successor } = before ?? { claimedBy: null, consumedAt: null, successor: null };
  artifacts.keep({ ...artifact, claimedBy, consumedAt, successor });
  dropFirst(artifacts, artifact, limit);
  return "put";
}

type ArtifactVerbs = Pick<
  GrantStore,
  "putArtifact" | "findArtifact" | "findUserCode" | "claimUserCode" | "consumeArtifact" | "dropArtifact"
>;

/** Artifacts in memory. */
export function createArtifactVerbs(
  verb: Verb,
  artifacts: Artifacts,
  hasGrant: (grantId: string) => boolean,
): ArtifactVerbs {
  const live = (artifact: ArtifactRecord | null, now: number): ArtifactRecord | null =>
    artifact !== null && artifact.until > now ? artifact : null;
  const findCode = (digest: string, now: number): ArtifactRecord | null =>
    live(
      artifacts.findWhere(({ userCodeDigest }) => userCodeDigest === digest),
      now,
    );
  return {
    putArtifact: verb((artifact, conditions) => put(artifacts, hasGrant, { ...artifact }, conditions)),
    findArtifact: verb((key, now) =>
      live(
        "digest" in key
          ? artifacts.find(key)
          : artifacts.findWhere(({ model, uid }) => model === key.model && uid === key.uid),
        now,
      ),
    ),
    findUserCode: verb(findCode),
    claimUserCode: verb(({ userCodeDigest, by, now }) => {
      const artifact = findCode(userCodeDigest, now);
      if (artifact === null || artifact.consumedAt !== null || (artifact.claimedBy ?? by) !== by) return null;
      return artifacts.keep({ ...artifact, claimedBy: by });
    }),
    consumeArtifact: verb(({ now, ...key }) => {
      const artifact = live(artifacts.find(key), now);
      if (artifact === null) return { outcome: "missing" };
      if (artifact.consumedAt !== null) return { outcome: "used", artifact };
      return { outcome: "consumed", artifact: artifacts.keep({ ...artifact, consumedAt: now }) };
    }),
    dropArtifact: verb(artifacts.drop),
  };
}
