import {
  type Account,
  type AccountConflict,
  type AccountKey,
  type AccountRecord,
  type IdentityRecord,
  type PasskeyRecord,
  emptiedAccount,
} from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { integer } from "../engine/rows.ts";
import { describeTable } from "../engine/table.ts";

const accounts = describeTable("accounts");
const passkeys = describeTable("passkeys");
const identities = describeTable("identities");

const select = `SELECT ${accounts.names} FROM accounts`;
const owner = (row: Parameters<typeof integer>[0]): number => integer(row, "user_id");

const prepareAccounts = (database: Database) => ({
  put: database.command(`INSERT OR REPLACE INTO accounts (${accounts.names}) VALUES (${accounts.marks})`),
  find: database.query(`${select} WHERE user_id = ?`, accounts.read),
  findByName: database.query(`${select} WHERE username_key = ?`, accounts.read),
  list: database.query(`${select} WHERE user_id > ? AND removed_at IS NULL ORDER BY user_id LIMIT ?`, accounts.read),
  admin: database.query("SELECT user_id FROM accounts WHERE role = 'admin' LIMIT 1", owner),
  otherAdmin: database.query(
    `SELECT user_id FROM accounts JOIN users USING (user_id)
      WHERE role = 'admin' AND suspended = 0 AND user_id <> ? LIMIT 1`,
    owner,
  ),
  active: database.query(
    "SELECT user_id FROM accounts JOIN users USING (user_id) WHERE role = 'admin' AND suspended = 0 AND user_id = ?",
    owner,
  ),
  raise: database.command("UPDATE accounts SET rev = rev + 1 WHERE user_id = ?"),
});

const prepareSignIns = (database: Database) => ({
  findPasskey: database.query("SELECT user_id FROM passkeys WHERE credential_id = ?", owner),
  findIdentity: database.query("SELECT user_id FROM identities WHERE issuer = ? AND subject = ?", owner),
  passkeysOf: database.query(`SELECT ${passkeys.names} FROM passkeys WHERE user_id = ?`, passkeys.read),
  identitiesOf: database.query(`SELECT ${identities.names} FROM identities WHERE user_id = ?`, identities.read),
  dropPasskeys: database.command("DELETE FROM passkeys WHERE user_id = ?"),
  dropIdentities: database.command("DELETE FROM identities WHERE user_id = ?"),
  addPasskey: database.command(`INSERT INTO passkeys (${passkeys.names}) VALUES (${passkeys.marks})`),
  addIdentity: database.command(`INSERT INTO identities (${identities.names}) VALUES (${identities.marks})`),
});

const passkeyOf = ({ userId: _userId, ...passkey }: PasskeyRecord): Account["passkeys"][number] => passkey;
const identityOf = ({ userId: _userId, ...identity }: IdentityRecord): Account["identities"][number] => identity;

/** Accounts, including removed ones, in a transaction. */
export class AccountRows {
  readonly #accounts: ReturnType<typeof prepareAccounts>;
  readonly #signIns: ReturnType<typeof prepareSignIns>;

  constructor(database: Database) {
    this.#accounts = prepareAccounts(database);
    this.#signIns = prepareSignIns(database);
  }

  /** The account of a user, even if it was removed. */
  findAny(userId: number): Account | null {
    return this.#complete(this.#accounts.find.one(userId));
  }

  find(key: AccountKey): Account | null {
    const account = this.#complete(this.#findRecord(key));
    return account?.removedAt === null ? account : null;
  }

  list(after: number, limit: number): Account[] {
    return this.#accounts.list.all(after, limit).flatMap((record) => this.#complete(record) ?? []);
  }

  hasAdmin(): boolean {
    return this.#accounts.admin.one() !== null;
  }

  /** True if the user is the only active admin. */
  isLastAdmin(userId: number): boolean {
    return this.#accounts.active.one(userId) !== null && this.#accounts.otherAdmin.one(userId) === null;
  }

  /** The conflict with another account, or null. A `userId` of 0 belongs to no account. */
  conflictOf({ userId, usernameKey, passkeys: keys, identities: ids }: Account): AccountConflict | null {
    const isOther = (holder: number | null): boolean => holder !== null && holder !== userId;
    const { findPasskey, findIdentity } = this.#signIns;
    if (isOther(this.#accounts.findByName.one(usernameKey)?.userId ?? null)) return "username_taken";
    if (keys.some(({ credentialId }) => isOther(findPasskey.one(credentialId)))) return "passkey_taken";
    return ids.some(({ issuer, subject }) => isOther(findIdentity.one(issuer, subject))) ? "identity_taken" : null;
  }

  /** Stores an account, and replaces the previous one. */
  put(account: Account): void {
    const { userId } = account;
    this.#accounts.put(...accounts.values(account));
    this.#signIns.dropPasskeys(userId);
    this.#signIns.dropIdentities(userId);
    for (const one of account.passkeys) this.#signIns.addPasskey(...passkeys.values({ ...one, userId }));
    for (const one of account.identities) this.#signIns.addIdentity(...identities.values({ ...one, userId }));
  }

  /** Increments `rev`. */
  raise(userId: number): void {
    this.#accounts.raise(userId);
  }

  /** Leaves only the username. */
  remove(userId: number, now: number): void {
    const account = this.findAny(userId);
    if (account !== null) this.put({ ...account, ...emptiedAccount, removedAt: now, rev: account.rev + 1 });
  }

  #findRecord(key: AccountKey): AccountRecord | null {
    if ("userId" in key) return this.#accounts.find.one(key.userId);
    if ("usernameKey" in key) return this.#accounts.findByName.one(key.usernameKey);
    const { findPasskey, findIdentity } = this.#signIns;
    const userId =
      "credentialId" in key ? findPasskey.one(key.credentialId) : findIdentity.one(key.issuer, key.subject);
    return userId === null ? null : this.#accounts.find.one(userId);
  }

  #complete(record: AccountRecord | null): Account | null {
    if (record === null) return null;
    const { userId } = record;
    return {
      ...record,
      passkeys: this.#signIns.passkeysOf.all(userId).map(passkeyOf),
      identities: this.#signIns.identitiesOf.all(userId).map(identityOf),
    };
  }
}
