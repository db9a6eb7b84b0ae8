import type { LinkKind, LinkRecord, LinkStore, LinkUse } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { integer, integerOrNull, oneOf, type Row, text, textOrNull } from "../engine/rows.ts";

const kinds: readonly LinkKind[] = [
  "setup",
  "invitation",
  "recovery",
  "room",
  "hook",
  "ticket",
  "challenge",
  "push",
  "file",
];

const columns = "link_id, digest, kind, maker_id, slot, data, uses, used, misses, created_at, until, revoked_at";

const read = (row: Row): LinkRecord => ({
  linkId: text(row, "link_id"),
  digest: text(row, "digest"),
  kind: oneOf(row, "kind", kinds),
  makerId: integerOrNull(row, "maker_id"),
  slot: textOrNull(row, "slot"),
  data: text(row, "data"),
  uses: integer(row, "uses"),
  used: integer(row, "used"),
  misses: integer(row, "misses"),
  createdAt: integer(row, "created_at"),
  until: integer(row, "until"),
  revokedAt: integerOrNull(row, "revoked_at"),
});

const open = "revoked_at IS NULL AND used < uses AND until > ?";

const prepare = (database: Database) => ({
  find: database.query(`SELECT ${columns} FROM links WHERE digest = ? AND kind = ? AND ${open}`, read),
  findById: database.query(`SELECT ${columns} FROM links WHERE link_id = ? AND kind = ?`, read),
  use: database.query(`UPDATE links SET used = used + 1 WHERE digest = ? RETURNING ${columns}`, read),
  miss: database.command("UPDATE links SET misses = misses + 1 WHERE digest = ?"),
  revoke: database.command("UPDATE links SET revoked_at = ? WHERE link_id = ?"),
  count: database.query(
    "SELECT count(*) AS links FROM links WHERE maker_id IS ? AND kind = ? AND slot IS NOT ?",
    (row) => integer(row, "links"),
  ),
  dropEnded: database.command(`DELETE FROM links WHERE maker_id IS ? AND kind = ? AND NOT (${open})`),
  dropSlot: database.command("DELETE FROM links WHERE slot = ?"),
  insert: database.command(`INSERT INTO links (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, NULL)`),
  list: database.query(`SELECT ${columns} FROM links WHERE kind = ? AND link_id > ? ORDER BY link_id LIMIT ?`, read),
  listOf: database.query(
    `SELECT ${columns} FROM links WHERE kind = ? AND link_id > ? AND maker_id IS ? ORDER BY link_id LIMIT ?`,
    read,
  ),
  dropOf: database.command("DELETE FROM links WHERE maker_id = ?"),
  sweep: database.command("DELETE FROM links WHERE link_id IN (SELECT link_id FROM links WHERE until <= ? LIMIT ?)"),
});

/** Links, in a transaction. */
export class LinkRows {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  find({ digest, kind, now, mostMisses = Number.POSITIVE_INFINITY }: LinkUse): LinkRecord | null {
    const link = this.#sql.find.one(digest, kind, now);
    return link !== null && link.misses < mostMisses ? link : null;
  }

  /** Counts a use of a link that was found in the same transaction. */
  use(link: LinkRecord): LinkRecord {
    return this.#sql.use.only(link.digest);
  }

  /** Counts a use that was rejected because the username is taken. */
  miss({ digest }: LinkRecord): void {
    this.#sql.miss(digest);
  }

  issue(link: Parameters<LinkStore["issueLink"]>[0], limit: number): "issued" | "limit_reached" {
    const { linkId, digest, kind, makerId, slot, data, uses, createdAt, until } = link;
    const isFull = (): boolean => this.#sql.count.only(makerId, kind, slot ?? "") >= limit;
    if (isFull()) this.#sql.dropEnded(makerId, kind, createdAt);
    if (isFull()) return "limit_reached";
    if (slot !== null) this.#sql.dropSlot(slot);
    this.#sql.insert(linkId, digest, kind, makerId, slot, data, uses, createdAt, until);
    return "issued";
  }

  list({ kind, makerId, after, limit }: Parameters<LinkStore["listLinks"]>[0]): LinkRecord[] {
    return makerId === undefined
      ? this.#sql.list.all(kind, after, limit)
      : this.#sql.listOf.all(kind, after, makerId, limit);
  }

  revoke({ linkId, kind, makerId, now }: Parameters<LinkStore["revokeLink"]>[0]): LinkRecord | null {
    const link = this.#sql.findById.one(linkId, kind);
    if (link === null || (makerId !== undefined && link.makerId !== makerId)) return null;
    if (link.revokedAt !== null) return link;
    this.#sql.revoke(now, linkId);
    return { ...link, revokedAt: now };
  }

  dropOf(makerId: number): void {
    this.#sql.dropOf(makerId);
  }

  /** Returns how many were deleted. */
  sweep(now: number, limit: number): number {
    return this.#sql.sweep(now, limit);
  }
}

export const createLinkVerbs = (database: Database, commit: GroupCommit, links: LinkRows): LinkStore => ({
  issueLink({ ...link }, limit) {
    return commit.write(() => links.issue(link, limit));
  },
  findLink: (use) => database.read(() => links.find(use)),
  consumeLink({ ...use }) {
    return commit.write(() => {
      const link = links.find(use);
      return link === null ? null : links.use(link);
    });
  },
  listLinks: (page) => database.read(() => links.list(page)),
  revokeLink({ ...key }) {
    return commit.write(() => links.revoke(key));
  },
});
