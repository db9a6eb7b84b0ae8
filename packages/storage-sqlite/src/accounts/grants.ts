import type { ClientRecord, GrantRecord, GrantsKey, GrantStore } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { text } from "../engine/rows.ts";
import { describeTable } from "../engine/table.ts";
import type { SqliteChangeFeed } from "../stores/changes.ts";
import { ArtifactRows, createArtifactVerbs } from "./artifacts.ts";

const grants = describeTable("grants");
const clients = describeTable("clients");

const selectGrant = `SELECT ${grants.names} FROM grants`;
const selectClient = `SELECT ${clients.names} FROM clients`;

const prepareGrants = (database: Database) => ({
  put: database.command(`
    INSERT INTO grants (${grants.names}) VALUES (${grants.marks}) ON CONFLICT (grant_id) DO UPDATE
      SET user_id = excluded.user_id, client_id = excluded.client_id, payload = excluded.payload, until = excluded.until`),
  find: database.query(`${selectGrant} WHERE grant_id = ?`, grants.read),
  ofUser: database.query(`${selectGrant} WHERE user_id = ? ORDER BY grant_id LIMIT ?`, grants.read),
  ofClient: database.query(`${selectGrant} WHERE client_id = ? ORDER BY grant_id LIMIT ?`, grants.read),
  ended: database.query("SELECT grant_id FROM grants WHERE until <= ? LIMIT ?", (row) => text(row, "grant_id")),
  drop: database.command("DELETE FROM grants WHERE grant_id = ?"),
});

/** Grants, in a transaction. */
export class GrantRows {
  readonly #sql: ReturnType<typeof prepareGrants>;
  readonly #changes: SqliteChangeFeed;
  readonly artifacts: ArtifactRows;

  constructor(database: Database, changes: SqliteChangeFeed) {
    this.#sql = prepareGrants(database);
    this.#changes = changes;
    this.artifacts = new ArtifactRows(database);
  }

  find(grantId: string): GrantRecord | null {
    return this.#sql.find.one(grantId);
  }

  list(key: GrantsKey, limit: number): GrantRecord[] {
    return "userId" in key ? this.#sql.ofUser.all(key.userId, limit) : this.#sql.ofClient.all(key.clientId, limit);
  }

  put(grant: GrantRecord, limit: number): "put" | "limit_reached" {
    const others = this.list({ userId: grant.userId }, limit + 1).filter(({ grantId }) => grantId !== grant.grantId);
    if (others.length >= limit) return "limit_reached";
    this.#sql.put(...grants.values(grant));
    return "put";
  }

  end(grantId: string): void {
    this.artifacts.dropOf(grantId);
    this.#sql.drop(grantId);
    this.#changes.record("grant", grantId);
  }

  /** Ends at most `limit` grants, or all if that is -1, and returns how many. */
  endAll(key: GrantsKey, limit: number): number {
    const ended = this.list(key, limit);
    for (const { grantId } of ended) this.end(grantId);
    return ended.length;
  }

  /** Returns how many were deleted. */
  sweep(now: number, limit: number): number {
    const ended = this.#sql.ended.all(now, limit);
    for (const grantId of ended) this.end(grantId);
    return ended.length;
  }
}

type GrantVerbs = Pick<GrantStore, "putGrant" | "findGrant" | "listGrants" | "endGrant" | "endGrants" | "sweepGrants">;

const createGrantVerbs = (database: Database, commit: GroupCommit, rows: GrantRows): GrantVerbs => ({
  putGrant({ ...grant }, limit) {
    return commit.write(() => rows.put(grant, limit));
  },
  findGrant: (grantId, now) =>
    database.read(() => {
      const grant = rows.find(grantId);
      return grant !== null && grant.until > now ? grant : null;
    }),
  listGrants: (userId, now) => database.read(() => rows.list({ userId }, -1).filter(({ until }) => until > now)),
  endGrant: ({ grantId, userId }) =>
    commit.write(() => {
      const grant = rows.find(grantId);
      if (grant === null || (userId ?? grant.userId) !== grant.userId) return false;
      rows.end(grantId);
      return true;
    }),
  endGrants({ ...key }, limit) {
    return commit.write(() => rows.endAll(key, limit));
  },
  sweepGrants: ({ now, limit }) => commit.write(() => rows.sweep(now, limit) + rows.artifacts.sweep(now, limit)),
});

const prepareClients = (database: Database) => ({
  add: database.command(`INSERT INTO clients (${clients.names}) VALUES (${clients.marks}) ON CONFLICT DO NOTHING`),
  put: database.command(`INSERT OR REPLACE INTO clients (${clients.names}) VALUES (${clients.marks})`),
  find: database.query(`${selectClient} WHERE client_id = ?`, clients.read),
  list: database.query(`${selectClient} WHERE client_id > ? ORDER BY client_id LIMIT ?`, clients.read),
  drop: database.command("DELETE FROM clients WHERE client_id = ?"),
});

type ClientVerbs = Pick<GrantStore, "addClient" | "findClient" | "listClients" | "amendClient" | "dropClient">;

function createClientVerbs(database: Database, commit: GroupCommit): ClientVerbs {
  const sql = prepareClients(database);
  return {
    addClient(client) {
      const values = clients.values(client);
      return commit.write(() => sql.add(...values) > 0);
    },
    findClient: (clientId) => database.read(() => sql.find.one(clientId)),
    listClients: ({ after, limit }) => database.read(() => sql.list.all(after, limit)),
    amendClient(clientId, change) {
      const own = structuredClone(change);
      return commit.write((): ClientRecord | null => {
        const before = sql.find.one(clientId);
        if (before === null) return null;
        const client = { ...before, ...own };
        sql.put(...clients.values(client));
        return client;
      });
    },
    dropClient: (clientId) => commit.write(() => sql.drop(clientId) > 0),
  };
}

/** Applications and grants. */
export const createGrantStore = (database: Database, commit: GroupCommit, rows: GrantRows): GrantStore => ({
  ...createClientVerbs(database, commit),
  ...createGrantVerbs(database, commit, rows),
  ...createArtifactVerbs(database, commit, rows),
});
