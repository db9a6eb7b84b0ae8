import type {
  AppendedOnce,
  GroupChange,
  GroupRecord,
  GroupStore,
  MemberRecord,
  GroupKey,
  NewNetworkGroup,
} from "@telex/core/storage";
import type { SqliteChangeFeed } from "./changes.ts";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { integer, type Row, textOrNull } from "../engine/rows.ts";
import { describeTable } from "../engine/table.ts";

const table = describeTable("groups");
const { read } = table;
const given = table.without("groupId");
const readGroupId = (row: Row): number => integer(row, "group_id");

const readMember = (row: Row): MemberRecord => ({ userId: integer(row, "user_id"), card: textOrNull(row, "card") });

const select = `SELECT ${table.names} FROM groups`;

const prepare = (database: Database) => ({
  insert: database.query(`INSERT INTO groups (${given.names}) VALUES (${given.marks}) RETURNING ${table.names}`, read),
  find: database.query(`${select} WHERE group_id = ?`, read),
  findByExt: database.query(`${select} WHERE ext = ? AND group_type = ? AND bot IS ? ORDER BY group_id LIMIT 1`, read),
  list: database.query(`${select} WHERE group_id > ? ORDER BY group_id LIMIT ?`, read),
  listOf: database.query("SELECT group_id FROM group_members WHERE user_id = ? ORDER BY group_id", readGroupId),
  members: database.query("SELECT user_id, card FROM group_members WHERE group_id = ? ORDER BY user_id", readMember),
  amend: database.query(
    `UPDATE groups SET name = coalesce(?, name), avatar = CASE WHEN ? THEN ? ELSE avatar END WHERE group_id = ?
      RETURNING ${table.names}`,
    read,
  ),
  empty: database.command("DELETE FROM group_members WHERE group_id = ?"),
  drop: database.command("DELETE FROM groups WHERE group_id = ?"),
  add: database.command("INSERT OR IGNORE INTO group_members (group_id, user_id) VALUES (?, ?)"),
  remove: database.command("DELETE FROM group_members WHERE group_id = ? AND user_id = ?"),
  amendCard: database.command("UPDATE group_members SET card = ? WHERE group_id = ? AND user_id = ?"),
});

/** Chat rooms and their members. */
export class SqliteGroupStore implements GroupStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #changes: SqliteChangeFeed;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database, commit: GroupCommit, changes: SqliteChangeFeed) {
    this.#database = database;
    this.#commit = commit;
    this.#changes = changes;
    this.#sql = prepare(database);
  }

  appendGroup(group: Omit<GroupRecord, "groupId">, members: readonly number[]): Promise<GroupRecord> {
    const values = given.values(group);
    const first = [...members];
    return this.#commit.write(() => this.#append(values, first));
  }

  appendGroupOnce(
    group: NewNetworkGroup,
    members: readonly number[],
    others: readonly GroupKey[],
  ): Promise<AppendedOnce> {
    const values = given.values(group);
    const first = [...members];
    const keys = [group, ...others].map(({ ext, groupType, bot }) => [ext, groupType, bot] as const);
    return this.#commit.write(() => {
      const rooms = keys.map((key) => this.#sql.findByExt.one(...key)).filter((room) => room !== null);
      const [known] = rooms.toSorted((a, b) => a.groupId - b.groupId);
      if (known !== undefined) return { outcome: "known", group: known };
      return { outcome: "appended", group: this.#append(values, first) };
    });
  }

  findGroup(groupId: number): Promise<GroupRecord | null> {
    return this.#database.read(() => this.#sql.find.one(groupId));
  }

  findGroupByExt(key: GroupKey): Promise<GroupRecord | null> {
    return this.#database.read(() => this.#sql.findByExt.one(key.ext, key.groupType, key.bot));
  }

  amendGroup(groupId: number, { name, avatar }: GroupChange): Promise<GroupRecord | null> {
    return this.#commit.write(() => {
      const group = this.#sql.amend.one(name ?? null, Number(avatar !== undefined), avatar ?? null, groupId);
      if (group !== null) this.#changes.record("members", String(groupId));
      return group;
    });
  }

  dropGroup(groupId: number): Promise<boolean> {
    return this.#commit.write(() => {
      this.#sql.empty(groupId);
      if (this.#sql.drop(groupId) === 0) return false;
      this.#changes.record("members", String(groupId));
      return true;
    });
  }

  listGroups(page: { readonly after: number; readonly limit: number }): Promise<readonly GroupRecord[]> {
    return this.#database.read(() => this.#sql.list.all(page.after, page.limit));
  }

  listGroupsOf(userId: number): Promise<readonly number[]> {
    return this.#database.read(() => this.#sql.listOf.all(userId));
  }

  listMembers(groupId: number): Promise<readonly MemberRecord[]> {
    return this.#database.read(() => this.#sql.members.all(groupId));
  }

  amendMembers(
    groupId: number,
    change: { readonly add: readonly number[]; readonly remove: readonly number[] },
  ): Promise<"amended" | "missing"> {
    const [added, removed] = [[...change.add], [...change.remove]];
    return this.#commit.write(() => {
      if (this.#sql.find.one(groupId) === null) return "missing";
      for (const userId of added) this.#sql.add(groupId, userId);
      for (const userId of removed) this.#sql.remove(groupId, userId);
      this.#changes.record("members", String(groupId));
      return "amended";
    });
  }

  amendCard(groupId: number, userId: number, card: string | null): Promise<"amended" | "missing"> {
    return this.#commit.write(() => {
      if (this.#sql.amendCard(card, groupId, userId) === 0) return "missing";
      this.#changes.record("members", String(groupId));
      return "amended";
    });
  }

  #append(values: ReturnType<typeof given.values>, members: readonly number[]): GroupRecord {
    const added = this.#sql.insert.only(...values);
    for (const userId of members) this.#sql.add(added.groupId, userId);
    this.#changes.record("members", String(added.groupId));
    return added;
  }
}
