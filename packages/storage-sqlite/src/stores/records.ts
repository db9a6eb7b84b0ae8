import { counterNames, type RecordKind, type RecordPage, type Records, type RecordStore } from "@telex/core/storage";
import { prepareCounters } from "../sql/counters.ts";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { prepareRecords, type RecordTable } from "../sql/records.ts";

type Tables = { readonly [Kind in RecordKind]: RecordTable<Kind> };

const prepare = (database: Database): Tables => ({
  users: prepareRecords(database, "users"),
  tokens: prepareRecords(database, "tokens"),
  accounts: prepareRecords(database, "accounts"),
  passkeys: prepareRecords(database, "passkeys"),
  identities: prepareRecords(database, "identities"),
  clients: prepareRecords(database, "clients"),
  grants: prepareRecords(database, "grants"),
  artifacts: prepareRecords(database, "artifacts"),
  keys: prepareRecords(database, "keys"),
  groups: prepareRecords(database, "groups"),
  members: prepareRecords(database, "members"),
  devices: prepareRecords(database, "devices"),
  deviceGenerations: prepareRecords(database, "deviceGenerations"),
  deviceMessages: prepareRecords(database, "deviceMessages"),
  deviceNonces: prepareRecords(database, "deviceNonces"),
  deviceSchedules: prepareRecords(database, "deviceSchedules"),
  files: prepareRecords(database, "files"),
  uploads: prepareRecords(database, "uploads"),
  attachments: prepareRecords(database, "attachments"),
  messages: prepareRecords(database, "messages"),
  messageNonces: prepareRecords(database, "messageNonces"),
  messageFiles: prepareRecords(database, "messageFiles"),
  readMarkers: prepareRecords(database, "readMarkers"),
  messageRecalls: prepareRecords(database, "messageRecalls"),
  fileUses: prepareRecords(database, "fileUses"),
  botMessages: prepareRecords(database, "botMessages"),
  networkPeople: prepareRecords(database, "networkPeople"),
  outbox: prepareRecords(database, "outbox"),
  bots: prepareRecords(database, "bots"),
  codes: prepareRecords(database, "codes"),
  uploadShares: prepareRecords(database, "uploadShares"),
  allocations: prepareRecords(database, "allocations"),
  usage: prepareRecords(database, "usage"),
  reservations: prepareRecords(database, "reservations"),
  conversations: prepareRecords(database, "conversations"),
  conversationMessages: prepareRecords(database, "conversationMessages"),
  pairings: prepareRecords(database, "pairings"),
  counters: prepareCounters(database),
});

/** Statements for derived rows. */
const prepareDerived = (database: Database) => ({
  /** Counts the waiting messages of a device. */
  waiting: database.command(`
    UPDATE devices SET waiting = (SELECT count(*) FROM device_messages INDEXED BY device_queue
      WHERE device_messages.device_id = devices.device_id AND delivered = 0) WHERE device_id = ?`),
  /** Marks a room as read by the sender of a message up to it. */
  read: database.command(`
    INSERT INTO read_markers SELECT group_id, CAST(user_id AS INTEGER), seq FROM messages
      WHERE group_id = ? AND seq = ? AND external = 0
      ON CONFLICT DO UPDATE SET seq = excluded.seq WHERE seq < excluded.seq`),
});

const valuesOf = (records: readonly object[], field: string): ReadonlySet<string> =>
  new Set(records.map((record) => String(Reflect.get(record, field))));

export class SqliteRecordStore implements RecordStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #index: SearchIndex;
  readonly #tables: Tables;
  readonly #derived: ReturnType<typeof prepareDerived>;

  constructor(database: Database, commit: GroupCommit, index: SearchIndex) {
    this.#database = database;
    this.#commit = commit;
    this.#index = index;
    this.#tables = prepare(database);
    this.#derived = prepareDerived(database);
  }

  list<Kind extends RecordKind>(kind: Kind, { after, limit }: RecordPage): Promise<readonly Records[Kind][]> {
    return this.#database.readTogether(() => this.#tables[kind].list(after, limit));
  }

  put<Kind extends RecordKind>(kind: Kind, records: readonly Records[Kind][]): Promise<void> {
    const own = structuredClone(records);
    return this.#commit.write(() => {
      for (const record of own) this.#tables[kind].put(record);
      this.#derive(kind, own);
    });
  }

  count(kind: RecordKind): Promise<number> {
    if (kind === "counters") return Promise.resolve(counterNames.length);
    return this.#database.read(() => this.#tables[kind].count());
  }

  #derive(kind: RecordKind, records: readonly object[]): void {
    const { counters } = this.#tables;
    const greatest = (field = "id"): number =>
      Math.max(0, ...records.map((record) => Number(Reflect.get(record, field))));
    if (kind === "deviceMessages") {
      for (const deviceId of valuesOf(records, "deviceId")) this.#derived.waiting(deviceId);
      counters.put({ name: "deviceMessage", value: greatest() });
    }
    if (kind === "messages") {
      for (const record of records)
        this.#derived.read(...["groupId", "seq"].map((field) => Number(Reflect.get(record, field))));
      for (const groupId of valuesOf(records, "groupId")) this.#index.restart(Number(groupId));
      counters.put({ name: "message", value: greatest("changed") });
    }
    if (kind === "messages" || kind === "messageRecalls") counters.put({ name: "message", value: greatest() });
  }
}
