import type { ArtifactConditions, ArtifactKey, ArtifactPut, ArtifactRecord, GrantStore } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { describeTable } from "../engine/table.ts";

const table = describeTable("artifacts");
const select = `SELECT ${table.names} FROM artifacts`;

const prepare = (database: Database) => ({
  put: database.command(`INSERT OR REPLACE INTO artifacts (${table.names}) VALUES (${table.marks})`),
  find: database.query(`${select} WHERE model = ? AND digest = ?`, table.read),
  findByUid: database.query(`${select} WHERE model = ? AND uid = ?`, table.read),
  findByCode: database.query(`${select} WHERE user_code_digest = ?`, table.read),
  drop: database.command("DELETE FROM artifacts WHERE model = ? AND digest = ?"),
  dropOf: database.command("DELETE FROM artifacts WHERE grant_id = ?"),
  dropFirst: database.command(`
    DELETE FROM artifacts WHERE (model, digest) IN (SELECT model, digest FROM artifacts
      WHERE grant_id = ? AND digest <> ? ORDER BY until DESC, digest LIMIT -1 OFFSET ?)`),
  sweep: database.command(`
    DELETE FROM artifacts WHERE (model, digest) IN (SELECT model, digest FROM artifacts WHERE until <= ? LIMIT ?)`),
});

/** Artifacts, in a transaction. */
export class ArtifactRows {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  find({ model, digest }: ArtifactKey): ArtifactRecord | null {
    return this.#sql.find.one(model, digest);
  }

  findByUid(model: string, uid: string): ArtifactRecord | null {
    return this.#sql.findByUid.one(model, uid);
  }

  findByCode(userCodeDigest: string): ArtifactRecord | null {
    return this.#sql.findByCode.one(userCodeDigest);
  }

  keep(artifact: ArtifactRecord): ArtifactRecord {
    this.#sql.put(...table.values(artifact));
    return artifact;
  }

  drop({ model, digest }: ArtifactKey): boolean {
    return this.#sql.drop(model, digest) > 0;
  }

  dropOf(grantId: string): void {
    this.#sql.dropOf(grantId);
  }

  put(artifact: ArtifactPut, { limit, follows }: ArtifactConditions): "put" | "superseded" | "user_code_taken" {
    const { grantId, userCodeDigest, model, digest } = artifact;
    const before = this.find(artifact);
    const holder = userCodeDigest === null ? null : this.findByCode(userCodeDigest);
    if (holder !== null && (holder.model !== model || holder.digest !== digest)) return "user_code_taken";
    if (follows !== undefined && !this.#replaceSuccessor(artifact, follows)) return "superseded";
    const { claimedBy, consumedAt, successor } = before ?? { claimedBy: null, consumedAt: null, successor: null };
    this.keep({ ...artifact, claimedBy, consumedAt, successor });
    if (grantId !== null) this.#sql.dropFirst(grantId, digest, limit - 1);
    return "put";
  }

  /** Returns how many were deleted. */
  sweep(now: number, limit: number): number {
    return this.#sql.sweep(now, limit);
  }

  /** Deletes the unused successor of an artifact; false if that was used. */
  #replaceSuccessor({ model, digest }: ArtifactPut, follows: string): boolean {
    const before = this.find({ model, digest: follows });
    if (before === null) return true;
    const successor = before.successor === null ? null : this.find({ model, digest: before.successor });
    if (successor !== null && successor.digest !== digest) {
      if (successor.consumedAt !== null) return false;
      this.drop(successor);
    }
    this.keep({ ...before, successor: digest });
    return true;
  }
}

const live = (artifact: ArtifactRecord | null, now: number): ArtifactRecord | null =>
  artifact !== null && artifact.until > now ? artifact : null;

type ArtifactVerbs = Pick<
  GrantStore,
  "putArtifact" | "findArtifact" | "findUserCode" | "claimUserCode" | "consumeArtifact" | "dropArtifact"
>;

/** The grants of artifacts. */
interface Grants {
  readonly artifacts: ArtifactRows;
  find(grantId: string): object | null;
}

export function createArtifactVerbs(database: Database, commit: GroupCommit, grants: Grants): ArtifactVerbs {
  const { artifacts } = grants;
  return {
    putArtifact({ ...artifact }, conditions) {
      const { limit, follows } = conditions;
      return commit.write(() => {
        if (artifact.grantId !== null && grants.find(artifact.grantId) === null) return "grant_ended";
        return artifacts.put(artifact, { limit, ...(follows !== undefined && { follows }) });
      });
    },
    findArtifact: (key, now) =>
      database.read(() => live("digest" in key ? artifacts.find(key) : artifacts.findByUid(key.model, key.uid), now)),
    findUserCode: (userCodeDigest, now) => database.read(() => live(artifacts.findByCode(userCodeDigest), now)),
    claimUserCode: ({ userCodeDigest, by, now }) =>
      commit.write(() => {
        const artifact = live(artifacts.findByCode(userCodeDigest), now);
        if (artifact === null || artifact.consumedAt !== null || (artifact.claimedBy ?? by) !== by) return null;
        return artifacts.keep({ ...artifact, claimedBy: by });
      }),
    consumeArtifact: ({ model, digest, now }) =>
      commit.write(() => {
        const artifact = live(artifacts.find({ model, digest }), now);
        if (artifact === null) return { outcome: "missing" };
        if (artifact.consumedAt !== null) return { outcome: "used", artifact };
        return { outcome: "consumed", artifact: artifacts.keep({ ...artifact, consumedAt: now }) };
      }),
    dropArtifact({ model, digest }) {
      return commit.write(() => artifacts.drop({ model, digest }));
    },
  };
}
