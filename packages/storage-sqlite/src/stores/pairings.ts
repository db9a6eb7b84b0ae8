import type { PairingRecord, PairingState, PairingStore } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { describeTable } from "../engine/table.ts";

const table = describeTable("pairings");
const select = `SELECT ${table.names} FROM pairings`;

const prepare = (database: Database) => ({
  forget: database.command("DELETE FROM pairings WHERE expires_at <= ?"),
  insert: database.command(`INSERT OR REPLACE INTO pairings (${table.names}) VALUES (${table.marks})`),
  findCode: database.query(`${select} WHERE code_digest = ? AND confirmed = 0 AND expires_at > ?`, table.read),
  find: database.query(`${select} WHERE secret_digest = ? AND expires_at > ?`, table.read),
  claim: database.command("UPDATE pairings SET user_id = ? WHERE secret_digest = ?"),
  confirm: database.command(
    "UPDATE pairings SET confirmed = 1, issued_by = ?, issuer_ends_at = ? WHERE secret_digest = ?",
  ),
  remove: database.command("DELETE FROM pairings WHERE secret_digest = ?"),
});

function stateOf(pairing: PairingRecord | null): PairingState {
  if (pairing === null) return { outcome: "missing" };
  const { deviceId, userId, issuedBy, issuerEndsAt } = pairing;
  if (!pairing.confirmed || userId === null) return { outcome: "pending", deviceId };
  return { outcome: "confirmed", deviceId, userId, issuedBy, issuerEndsAt };
}

/** The caller that looks up a code. */
type CodeUse = Parameters<PairingStore["claimPairing"]>[0];

/** Devices that ask to be paired. */
export class SqlitePairingStore implements PairingStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database, commit: GroupCommit) {
    this.#database = database;
    this.#commit = commit;
    this.#sql = prepare(database);
  }

  issuePairing(pairing: Parameters<PairingStore["issuePairing"]>[0]): Promise<"issued" | "code_taken"> {
    const { codeDigest, now } = pairing;
    const values = table.values({ ...pairing, userId: null, confirmed: false, issuedBy: null, issuerEndsAt: null });
    return this.#commit.write(() => {
      this.#sql.forget(now);
      if (this.#sql.findCode.one(codeDigest, now) !== null) return "code_taken";
      this.#sql.insert(...values);
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

  confirmPairing(confirmation: Parameters<PairingStore["confirmPairing"]>[0]): Promise<PairingRecord | null> {
    const { codeDigest, userId, now, issuedBy, issuerEndsAt } = confirmation;
    return this.#commit.write(() => {
      const pairing = this.#sql.findCode.one(codeDigest, now);
      if (pairing === null || pairing.userId !== userId) return null;
      this.#sql.confirm(issuedBy, issuerEndsAt, pairing.secretDigest);
      return { ...pairing, confirmed: true, issuedBy, issuerEndsAt };
    });
  }

  findPairing({ secretDigest, now }: Parameters<PairingStore["findPairing"]>[0]): Promise<PairingState> {
    return this.#database.read(() => stateOf(this.#sql.find.one(secretDigest, now)));
  }

  consumePairing({ secretDigest, now }: Parameters<PairingStore["consumePairing"]>[0]): Promise<PairingState> {
    return this.#commit.write(() => {
      const state = stateOf(this.#sql.find.one(secretDigest, now));
      if (state.outcome === "confirmed") this.#sql.remove(secretDigest);
      return state;
    });
  }
}
