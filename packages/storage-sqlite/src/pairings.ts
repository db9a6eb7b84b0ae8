import type { PairingRecord, PairingStore } from "@telex/core/storage";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { flag, integer, integerOrNull, type Row, text } from "./rows.ts";

const readPairing = (row: Row): PairingRecord => ({
  codeDigest: text(row, "code_digest"),
  secretDigest: text(row, "secret_digest"),
  deviceId: text(row, "device_id"),
  name: text(row, "name"),
  expiresAt: integer(row, "expires_at"),
  userId: integerOrNull(row, "user_id"),
  confirmed: flag(row, "confirmed"),
});

const select = "SELECT code_digest, secret_digest, device_id, name, expires_at, user_id, confirmed FROM pairings";

const prepare = (database: Database) => ({
  forget: database.command("DELETE FROM pairings WHERE expires_at <= ?"),
  insert: database.command(`
    INSERT OR REPLACE INTO pairings (code_digest, secret_digest, device_id, name, expires_at, confirmed)
    VALUES (?, ?, ?, ?, ?, 0)`),
  findCode: database.query(`${select} WHERE code_digest = ? AND confirmed = 0 AND expires_at > ?`, readPairing),
  find: database.query(`${select} WHERE secret_digest = ? AND expires_at > ?`, readPairing),
  claim: database.command("UPDATE pairings SET user_id = ? WHERE secret_digest = ?"),
  confirm: database.command("UPDATE pairings SET confirmed = 1 WHERE secret_digest = ?"),
  remove: database.command("DELETE FROM pairings WHERE secret_digest = ?"),
});

/** Who looks a code up, or confirms it. */
type CodeUse = Parameters<PairingStore["claimPairing"]>[0];

/** Devices that ask to be paired. */
export class SqlitePairingStore implements PairingStore {
  readonly #commit: GroupCommit;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database, commit: GroupCommit) {
    this.#commit = commit;
    this.#sql = prepare(database);
  }

  issuePairing(pairing: Parameters<PairingStore["issuePairing"]>[0]): Promise<"issued" | "code_taken"> {
    const { codeDigest, secretDigest, deviceId, name, expiresAt, now } = pairing;
    return this.#commit.write(() => {
      this.#sql.forget(now);
      if (this.#sql.findCode.one(codeDigest, now) !== null) return "code_taken";
      this.#sql.insert(codeDigest, secretDigest, deviceId, name, expiresAt);
      return "issued";
    });
  }

  claimPairing({ codeDigest, userId, now }: CodeUse): Promise<PairingRecord | null> {
    return this.#commit.write(() => {
      const pairing = this.#sql.findCode.one(codeDigest, now);
      if (pairing === null || (pairing.userId !== null && pairing.userId !== userId)) return null;
      this.#sql.claim(userId, pairing.secretDigest);
      return { ...pairing, userId };
    });
  }

  confirmPairing({ codeDigest, userId, now }: CodeUse): Promise<PairingRecord | null> {
    return this.#commit.write(() => {
      const pairing = this.#sql.findCode.one(codeDigest, now);
      if (pairing === null || pairing.userId !== userId) return null;
      this.#sql.confirm(pairing.secretDigest);
      return { ...pairing, confirmed: true };
    });
  }

  consumePairing(key: Parameters<PairingStore["consumePairing"]>[0]): ReturnType<PairingStore["consumePairing"]> {
    return this.#commit.write(() => {
      const pairing = this.#sql.find.one(key.secretDigest, key.now);
      if (pairing === null) return { outcome: "missing" };
      const { deviceId, userId } = pairing;
      if (!pairing.confirmed || userId === null) return { outcome: "pending", deviceId };
      this.#sql.remove(key.secretDigest);
      return { outcome: "confirmed", deviceId, userId };
    });
  }
}
