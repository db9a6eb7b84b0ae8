import {
  type AppendedOnce,
  type GroupChange,
  type GroupKey,
  type GroupRecord,
  type GroupStore,
  type MemberRecord,
  type NewGroup,
  newGroup,
  newMember,
  type NewNetworkGroup,
  type Room,
  type RoomAmended,
  type RoomChange,
} from "@telex/core/storage";
import type { SqliteChangeFeed } from "./changes.ts";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { integer, type Row } from "../engine/rows.ts";
import { describeTable } from "../engine/table.ts";

const table = describeTable("groups");
const { read } = table;
const insertable = table.without("groupId");
const readGroupId = (row: Row): number => integer(row, "group_id");

const memberTable = describeTable("members");

const readMember = (row: Row): MemberRecord => {
  const { groupId: _groupId, ...member } = memberTable.read(row);
  return member;
};

const select = `SELECT ${table.names} FROM groups`;

const prepare = (database: Database) => ({
  insert: database.query(
    `INSERT INTO groups (${insertable.names}) VALUES (${insertable.marks}) RETURNING ${table.names}`,
    read,
  ),
  find: database.query(`${select} WHERE group_id = ?`, read),
  findByExt: database.query(`${select} WHERE ext = ? AND group_type = ? AND bot IS ? ORDER BY group_id LIMIT 1`, read),
  list: database.query(`${select} WHERE group_id > ? ORDER BY group_id LIMIT ?`, read),
  listOf: database.query("SELECT group_id FROM group_members WHERE user_id = ? ORDER BY group_id", readGroupId),
  archivedOf: database.query(
    `SELECT m.group_id FROM group_members m JOIN groups g ON g.group_id = m.group_id
      WHERE m.user_id = ? AND (m.archived = 1 OR g.archived = 1) ORDER BY m.group_id`,
    readGroupId,
  ),
  findByKey: database.query(`${select} WHERE unique_key = ?`, read),
  members: database.query(
    `SELECT ${memberTable.names} FROM group_members WHERE group_id = ? ORDER BY user_id`,
    readMember,
  ),
  amend: database.query(
    `UPDATE groups SET name = coalesce(?, name), avatar = CASE WHEN ? THEN ? ELSE avatar END, rev = rev + 1 WHERE group_id = ?
      RETURNING ${table.names}`,
    read,
  ),
  empty: database.command("DELETE FROM group_members WHERE group_id = ?"),
  drop: database.command("DELETE FROM groups WHERE group_id = ?"),
  change: database.query(
    `UPDATE groups SET name = ?, topic = ?, avatar = ?, archived = ?, pins = ?, rev = rev + 1 WHERE group_id = ? RETURNING ${table.names}`,
    read,
  ),
  raise: database.command("UPDATE groups SET rev = rev + 1 WHERE group_id = ?"),
  add: database.command(`INSERT OR IGNORE INTO group_members (${memberTable.names}) VALUES (${memberTable.marks})`),
  putMember: database.command(
    `INSERT OR REPLACE INTO group_members (${memberTable.names}) VALUES (${memberTable.marks})`,
  ),
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

  appendGroup(group: NewGroup, members: readonly number[]): Promise<GroupRecord> {
    const values = insertable.values(newGroup(group));
    const first = members.map((userId) => newMember(userId, 0));
    return this.#commit.write(() => this.#append(values, first));
  }

  appendGroupOnce(
    group: NewNetworkGroup,
    members: readonly number[],
    others: readonly GroupKey[],
  ): Promise<AppendedOnce> {
    const values = insertable.values(newGroup(group));
    const first = members.map((userId) => newMember(userId, 0));
    const keys = [group, ...others].map(({ ext, groupType, bot }) => [ext, groupType, bot] as const);
    return this.#commit.write(() => {
      const rooms = keys.map((key) => this.#sql.findByExt.one(...key)).filter((room) => room !== null);
      const [existing] = rooms.toSorted((a, b) => a.groupId - b.groupId);
      if (existing !== undefined) return { outcome: "known", group: existing };
      return { outcome: "appended", group: this.#append(values, first) };
    });
  }

  appendRoom(group: NewGroup, members: readonly MemberRecord[]): Promise<AppendedOnce> {
    const values = insertable.values(newGroup(group));
    const first = members.map((member) => ({ ...member }));
    const { uniqueKey = null } = group;
    return this.#commit.write(() => {
      const existing = uniqueKey === null ? null : this.#sql.findByKey.one(uniqueKey);
      if (existing !== null) return { outcome: "known", group: existing };
      return { outcome: "appended", group: this.#append(values, first) };
    });
  }

  findRoom(groupId: number): Promise<Room | null> {
    return this.#database.readTogether(() => {
      const group = this.#sql.find.one(groupId);
      if (group === null) return null;
      return { group, members: new Map(this.#sql.members.all(groupId).map((member) => [member.userId, member])) };
    });
  }

  amendRoom({ groupId, rev, ...asked }: RoomChange): Promise<RoomAmended> {
    const change = { ...asked.change };
    const [put, drop] = [asked.put.map((member) => ({ ...member })), [...asked.drop]];
    return this.#commit.write(() => {
      const before = this.#sql.find.one(groupId);
      if (before === null) return { outcome: "missing" };
      if (before.rev !== rev) return { outcome: "changed" };
      this.#changeMembers(groupId, put, drop);
      if (this.#sql.members.one(groupId) === null) {
        this.#sql.drop(groupId);
        return { outcome: "dropped" };
      }
      const { name, topic, avatar, archived, pins } = { ...before, ...change };
      return { outcome: "amended", group: this.#sql.change.only(name, topic, avatar, Number(archived), pins, groupId) };
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

  listArchivedOf(userId: number): Promise<readonly number[]> {
    return this.#database.read(() => this.#sql.archivedOf.all(userId));
  }

  listMembers(groupId: number): Promise<readonly MemberRecord[]> {
    return this.#database.read(() => this.#sql.members.all(groupId));
  }

  amendMembers(
    groupId: number,
    change: { readonly add: readonly number[]; readonly remove: readonly number[]; readonly at?: number },
  ): Promise<"amended" | "missing"> {
    const { at = 0 } = change;
    const [added, removed] = [change.add.map((userId) => newMember(userId, at)), [...change.remove]];
    return this.#commit.write(() => {
      if (this.#sql.raise(groupId) === 0) return "missing";
      for (const member of added) this.#sql.add(...memberTable.values({ groupId, ...member }));
      for (const userId of removed) this.#sql.remove(groupId, userId);
      this.#changes.record("members", String(groupId));
      return "amended";
    });
  }

  amendCard(groupId: number, userId: number, card: string | null): Promise<"amended" | "missing"> {
    return this.#commit.write(() => {
      if (this.#sql.amendCard(card, groupId, userId) === 0) return "missing";
      this.#sql.raise(groupId);
      this.#changes.record("members", String(groupId));
      return "amended";
    });
  }

  #changeMembers(groupId: number, put: readonly MemberRecord[], drop: readonly number[]): void {
    for (const member of put) this.#sql.putMember(...memberTable.values({ groupId, ...member }));
    for (const userId of drop) this.#sql.remove(groupId, userId);
    this.#changes.record("members", String(groupId));
  }

  #append(values: ReturnType<typeof insertable.values>, members: readonly MemberRecord[]): GroupRecord {
    const added = this.#sql.insert.only(...values);
    const { groupId } = added;
    for (const member of members) this.#sql.add(...memberTable.values({ groupId, ...member }));
    this.#changes.record("members", String(added.groupId));
    return added;
  }
}
