import type {
  MarkedRead,
  MessageAmend,
  MessageAmended,
  MessageAppend,
  MessageAppended,
  MessagePage,
  MessagePosition,
  MessageRecall,
  MessageRecalled,
  MessageRecord,
  MessageSearch,
  MessagesFound,
  MessagesSince,
  MessageStore,
  MessageTerms,
  RenewedMessage,
  NetworkId,
  NetworkKey,
  NetworkPerson,
  OutboxRecord,
  Recall,
  RoomReading,
  SendClaim,
  SendClaimed,
  SendEnd,
  SendKey,
  SendRoom,
} from "@telex/core/storage";
import type { SqliteBucketStore } from "../stores/bucket.ts";
import type { SqliteChangeFeed } from "../stores/changes.ts";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import type { Ids } from "../engine/ids.ts";
import { amendMessage, listAmended } from "./amends.ts";
import { insertMessage } from "./insert.ts";
import { KnownMessages } from "./known-messages.ts";
import { prepareMessages } from "../sql/messages.ts";
import { Outbox } from "./outbox.ts";
import { newestPage, pageBefore, readWithin } from "./pages.ts";
import { ReadMarkers } from "./read-markers.ts";
import { markRead, mentionsOf, readingOf } from "./readings.ts";
import { Recalls } from "./recalls.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { chunksOf } from "../search/chunks.ts";
import { SqliteRenewal } from "../search/renewal.ts";
import { SignatureSearch } from "../search/search.ts";
import { listNew } from "./since.ts";
import { listUsing } from "./list-using.ts";
import { ownCopy } from "./own-append.ts";

interface SqliteMessageDeps {
  readonly database: Database;
  readonly commit: GroupCommit;
  readonly ids: Ids;
  readonly bucket: SqliteBucketStore;
  readonly changes: SqliteChangeFeed;
  readonly index: SearchIndex;
}

/** Messages of chat rooms. Positions (`seq`) in a room have no gaps, so a page needs only arithmetic and one range. */
export class SqliteMessageStore implements MessageStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #bucket: SqliteBucketStore;
  readonly #sql: ReturnType<typeof prepareMessages>;
  /** For verbs outside this class. */
  readonly #deps: Pick<SqliteMessageDeps, "ids" | "changes" | "index"> & {
    readonly sql: ReturnType<typeof prepareMessages>;
    readonly markers: ReadMarkers;
  };
  readonly #recalls: Recalls;
  readonly #search: SignatureSearch;
  readonly #index: SearchIndex;
  readonly #renewal: SqliteRenewal;
  readonly #outbox: Outbox;
  readonly #known: KnownMessages;

  constructor(deps: SqliteMessageDeps) {
    this.#database = deps.database;
    this.#commit = deps.commit;
    this.#bucket = deps.bucket;
    this.#sql = prepareMessages(deps.database);
    const { ids, changes, index } = deps;
    this.#deps = { ids, changes, index, sql: this.#sql, markers: new ReadMarkers(deps.database) };
    this.#recalls = new Recalls(deps);
    this.#search = new SignatureSearch(deps.database);
    this.#index = deps.index;
    this.#renewal = new SqliteRenewal(deps.database, deps.index);
    this.#outbox = new Outbox(deps.database);
    this.#known = new KnownMessages(this.#sql);
  }

  append(append: MessageAppend): Promise<MessageAppended> {
    const own = ownCopy(append);
    return this.#commit.write(() => this.#append(own));
  }

  page(page: {
    readonly groupId: number;
    readonly before: number | null;
    readonly limit: number;
  }): Promise<MessagePage> {
    const { groupId, before, limit } = page;
    if (before === null) return this.#database.read(() => newestPage(this.#sql, groupId, limit));
    return this.#database.readTogether(() => pageBefore(this.#sql, groupId, before, limit));
  }

  findMessage(groupId: number, id: number): Promise<MessageRecord | null> {
    return this.#database.read(() => this.#sql.byId.one(groupId, id));
  }

  findNetworkMessage({ account, groupId, messageId }: NetworkKey): Promise<MessageRecord | null> {
    return this.#database.readTogether(() => {
      const position = this.#sql.botMessage.one(account, messageId, groupId);
      return position === null ? null : this.#sql.at.only(groupId, position.seq);
    });
  }

  listNetworkIds(groupId: number, id: number): Promise<readonly NetworkId[]> {
    return this.#database.read(() => this.#sql.networkIds.all(groupId, id));
  }

  listFiles(groupId: number, id: number): Promise<readonly string[]> {
    return this.#database.read(() => this.#sql.files.all(groupId, id));
  }

  listUsing(page: Parameters<MessageStore["listUsing"]>[0]): Promise<readonly MessageRecord[]> {
    return this.#database.readTogether(() => listUsing(this.#sql, page));
  }

  assignNumber({ network, ext }: Omit<NetworkPerson, "number">): Promise<number> {
    return this.#commit.write(
      () => (this.#sql.person.one(network, ext) ?? this.#sql.addPerson.only(network, ext)).number,
    );
  }

  findPerson(number: number): Promise<NetworkPerson | null> {
    return this.#database.read(() => this.#sql.personOf.one(number));
  }

  listSince(since: MessagesSince): Promise<readonly MessageRecord[] | null> {
    return this.#database.readTogether(() => readWithin(this.#sql, listNew(this.#sql.since, since), since.bytes));
  }

  findNewest(
    groupIds: readonly number[],
    upTo: number = Number.MAX_SAFE_INTEGER,
  ): Promise<ReadonlyMap<number, number>> {
    return this.#database.readTogether(() => {
      const newest = new Map<number, number>();
      for (const groupId of groupIds) {
        const id = this.#sql.idUpTo.one(groupId, upTo);
        if (id !== null) newest.set(groupId, id);
      }
      return newest;
    });
  }

  findReadings(userId: number, groupIds: readonly number[]): Promise<ReadonlyMap<number, RoomReading>> {
    return this.#database.readTogether(
      () => new Map(groupIds.map((groupId) => [groupId, readingOf(this.#deps, groupId, userId)])),
    );
  }

  findReaders({ groupId, seq, userIds }: Parameters<MessageStore["findReaders"]>[0]): Promise<readonly number[]> {
    return this.#database.readTogether(() =>
      userIds.filter((userId) => this.#deps.markers.find(groupId, userId) >= seq),
    );
  }

  markRead(mark: { readonly groupId: number; readonly userId: number; readonly upTo: number }): Promise<MarkedRead> {
    const own = { ...mark };
    return this.#commit.write(() => markRead(this.#deps, own));
  }

  countMentions(userId: number, groupIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    return this.#database.readTogether(
      () => new Map(groupIds.map((groupId) => [groupId, mentionsOf(this.#deps, groupId, userId)])),
    );
  }

  recall({ ...recall }: MessageRecall): Promise<MessageRecalled> {
    return this.#commit.write(() => {
      const message = this.#sql.byId.one(recall.groupId, recall.messageId);
      return message === null ? { outcome: "missing" } : this.#recalls.recall(recall, message);
    });
  }

  listRecalls({ groupIds, after, limit }: Omit<MessagesSince, "bytes">): Promise<readonly Recall[] | null> {
    return this.#database.readTogether(() => this.#recalls.listSince(groupIds, after, limit));
  }

  amend(amend: MessageAmend): Promise<MessageAmended> {
    const own = { ...amend };
    return this.#commit.write(() => {
      const message = this.#sql.byId.one(own.groupId, own.messageId);
      if (message === null || this.#recalls.has(message)) return { outcome: "missing" };
      return amendMessage(this.#deps, own, message);
    });
  }

  listAmended(since: Omit<MessagesSince, "bytes">): Promise<readonly MessageRecord[] | null> {
    return this.#database.readTogether(() => listAmended(this.#sql, since));
  }

  search(search: MessageSearch): Promise<MessagesFound> {
    return this.#search.search(search);
  }

  listUnindexed(): Promise<readonly MessagePosition[]> {
    return this.#database.readTogether(() => this.#index.listBacklog());
  }

  index(messages: readonly MessageTerms[]): Promise<void> {
    const chunks = chunksOf(messages);
    return this.#commit
      .writeAlong(
        () => this.#index.fill(chunks),
        (groups) => this.#index.noteFilled(groups),
      )
      .then(() => undefined);
  }

  listOutdated(): Promise<readonly MessageRecord[]> {
    return this.#database.read(() => this.#renewal.list());
  }

  countOutdated(most: number): Promise<number> {
    return this.#database.read(() => this.#renewal.count(most));
  }

  renew(messages: readonly RenewedMessage[]): Promise<void> {
    const own = messages.map((one) => ({ ...one }));
    return this.#commit.writeAlong(() => {
      for (const one of own) this.#renewal.renew(one);
    });
  }

  claimSend(claim: SendClaim): Promise<SendClaimed> {
    const own = { ...claim, nonce: claim.nonce === null ? null : { ...claim.nonce } };
    return this.#commit.write(() => this.#known.findSent(own) ?? this.#outbox.claim(own));
  }

  startSend({ ...start }: SendKey & { readonly now: number; readonly until: number }): Promise<boolean> {
    return this.#commit.write(() => this.#outbox.start(start));
  }

  touchSends({ ids, now, until }: Parameters<MessageStore["touchSends"]>[0]): Promise<void> {
    const own = { ids: [...ids], now, until };
    return this.#commit.write(() => this.#outbox.touch(own));
  }

  finishSend({ ...end }: SendEnd): Promise<boolean> {
    return this.#commit.write(() => this.#outbox.finish(end));
  }

  listSends(of: { readonly ids: readonly string[]; readonly now: number }): Promise<readonly OutboxRecord[]> {
    return this.#database.read(() => this.#outbox.list(of));
  }

  findNextSend(room: SendRoom & { readonly now: number }): Promise<OutboxRecord | null> {
    return this.#database.read(() => this.#outbox.findNext(room));
  }

  listWaitingRooms({ now }: { readonly now: number }): Promise<readonly SendRoom[]> {
    return this.#database.read(() => this.#outbox.listRooms(now));
  }

  listStartedSends(room: SendRoom & { readonly now: number }): Promise<readonly OutboxRecord[]> {
    return this.#database.read(() => this.#outbox.listStarted(room));
  }

  #append(append: MessageAppend): MessageAppended {
    const repeated = this.#known.findRepeated(append);
    if (repeated?.outcome === "repeated") this.#outbox.settle(append.sent);
    if (repeated !== null) return repeated;
    const md5 = this.#bucket.findMissing([...append.files, ...append.attachments.map((attachment) => attachment.md5)]);
    if (md5 !== null) return { outcome: "file_missing", md5 };
    const message = insertMessage(this.#deps, append.message);
    this.#bucket.use(append, message);
    this.#deps.markers.readOwn(message);
    this.#keepFiles(append, message);
    this.#known.keep(append, message);
    this.#outbox.settle(append.sent);
    this.#index.add(message);
    return { outcome: "appended", message };
  }

  #keepFiles({ attachments }: MessageAppend, { groupId, seq }: MessageRecord): void {
    for (const [at, { relativePath }] of attachments.entries()) this.#sql.keepFile(groupId, seq, at, relativePath);
  }
}
