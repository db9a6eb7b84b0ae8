import type {
  AttachmentRecord,
  BucketStore,
  CodeRecord,
  FileExpiry,
  FilePut,
  FilePutResult,
  FileRecord,
  MessageAppend,
  MessageRecord,
  UploadReservation,
  UploadShare,
  UploadsPage,
} from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { integer, integerOrNull, type Row, text } from "../engine/rows.ts";
import { describeTable } from "../engine/table.ts";
import { UploadShares } from "./upload-shares.ts";

const codes = describeTable("codes");
const attachments = describeTable("attachments");

const readFile = (row: Row): FileRecord => ({
  md5: text(row, "md5"),
  sha256: text(row, "sha256"),
  size: integer(row, "size"),
  mime: text(row, "mime"),
  ext: text(row, "ext"),
  blobId: text(row, "blob_id"),
  createdAt: integer(row, "created_at"),
  usedAt: integerOrNull(row, "used_at"),
});

/** The greatest time: a file that is kept was used then. */
const forever = Number.MAX_SAFE_INTEGER;

const fileColumns = "md5, sha256, size, mime, ext, blob_id, created_at, used_at";

const prepareCodes = (database: Database) => ({
  insert: database.command(`INSERT INTO codes (${codes.names}) VALUES (${codes.marks})`),
  find: database.query(`SELECT ${codes.names} FROM codes WHERE digest = ?`, codes.read),
  consume: database.command("UPDATE codes SET used = 1 WHERE digest = ?"),
  expire: database.command("DELETE FROM codes WHERE expires_at < ?"),
});

const prepareFiles = (database: Database) => ({
  insert: database.command(`
    INSERT INTO files (md5, sha256, size, mime, ext, blob_id, created_at, unused_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
  renew: database.command("UPDATE files SET unused_until = max(unused_until, ?) WHERE md5 = ?"),
  find: database.query(`SELECT ${fileColumns} FROM files WHERE md5 = ?`, readFile),
  list: database.query(`SELECT ${fileColumns} FROM files WHERE md5 > ? ORDER BY md5 LIMIT ?`, readFile),
  use: database.command("UPDATE files SET used_at = max(coalesce(used_at, 0), ?) WHERE md5 = ?"),
  unused: database.query(
    `SELECT ${fileColumns} FROM files WHERE used_at IS NULL AND unused_until < ? ORDER BY unused_until LIMIT ?`,
    readFile,
  ),
  oldImages: database.query(
    `SELECT ${fileColumns} FROM files WHERE ext <> '' AND used_at < ? ORDER BY used_at LIMIT ?`,
    readFile,
  ),
  remove: database.command("DELETE FROM files WHERE md5 = ?"),
  findBlob: database.query("SELECT blob_id FROM files WHERE blob_id = ?", (row) => text(row, "blob_id")),
  addUpload: database.command("INSERT OR IGNORE INTO uploads (md5, user_id) VALUES (?, ?)"),
  findUpload: database.query(
    `SELECT ${fileColumns} FROM uploads JOIN files USING (md5) WHERE md5 = ? AND user_id = ?`,
    readFile,
  ),
  listUploads: database.query(
    `SELECT ${fileColumns} FROM uploads JOIN files USING (md5)
      WHERE user_id = ? AND (created_at, md5) < (?, ?) ORDER BY created_at DESC, md5 DESC LIMIT ?`,
    readFile,
  ),
  attach: database.command(`INSERT OR IGNORE INTO attachments (${attachments.names}) VALUES (${attachments.marks})`),
  findAttachment: database.query(
    `SELECT ${attachments.names} FROM attachments WHERE relative_path = ?`,
    attachments.read,
  ),
});

const prepareUses = (database: Database) => ({
  /** Used before anybody noted by which messages. */
  addUnplaced: database.command(`
    INSERT OR IGNORE INTO file_uses SELECT md5, 0, 0 FROM files
      WHERE md5 = ?1 AND used_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM file_uses WHERE md5 = ?1)`),
  add: database.command("INSERT OR IGNORE INTO file_uses (md5, group_id, seq) VALUES (?, ?, ?)"),
  drop: database.query("DELETE FROM file_uses WHERE group_id = ? AND seq = ? RETURNING md5", (row) => text(row, "md5")),
  free: database.command(`
    UPDATE files SET used_at = NULL
      WHERE md5 = ?1 AND used_at < ?2 AND NOT EXISTS (SELECT 1 FROM file_uses WHERE md5 = ?1)`),
  detach: database.command("DELETE FROM attachments WHERE relative_path = ?"),
});

/** Records of files and upload codes. Uploads and attachments leave with their file, by foreign keys. */
export class SqliteBucketStore implements BucketStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #codes: ReturnType<typeof prepareCodes>;
  readonly #files: ReturnType<typeof prepareFiles>;
  readonly #uses: ReturnType<typeof prepareUses>;
  readonly #shares: UploadShares;

  constructor(database: Database, commit: GroupCommit) {
    this.#database = database;
    this.#commit = commit;
    this.#codes = prepareCodes(database);
    this.#files = prepareFiles(database);
    this.#uses = prepareUses(database);
    this.#shares = new UploadShares(database);
  }

  issueCode(code: Omit<CodeRecord, "used">): Promise<void> {
    const values = codes.values({ ...code, used: false });
    return this.#commit.write(() => {
      this.#codes.insert(...values);
    });
  }

  findCode(digest: string): Promise<CodeRecord | null> {
    return this.#database.read(() => this.#codes.find.one(digest));
  }

  putFile(put: FilePut): Promise<FilePutResult> {
    const own = {
      ...put,
      file: { ...put.file },
      code: put.code && { ...put.code },
      reserved: put.reserved && { ...put.reserved },
    };
    return this.#commit.write(() => this.#put(own));
  }

  reserveUpload(share: UploadShare, limit: { readonly max: number; readonly now: number }): Promise<UploadReservation> {
    const [own, { max, now }] = [{ ...share }, limit];
    return this.#commit.write(() => this.#shares.reserve(own, max, now));
  }

  releaseUpload(share: UploadShare): Promise<void> {
    const own = { ...share };
    return this.#commit.write(() => this.#shares.release(own));
  }

  findFile(md5: string): Promise<FileRecord | null> {
    return this.#database.read(() => this.#files.find.one(md5));
  }

  listFiles({ after, limit }: { readonly after: string; readonly limit: number }): Promise<readonly FileRecord[]> {
    return this.#database.read(() => this.#files.list.all(after, limit));
  }

  findUploads(userId: number, md5s: readonly string[]): Promise<readonly FileRecord[]> {
    return this.#database.readTogether(() =>
      Array.from(new Set(md5s), (md5) => this.#files.findUpload.one(md5, userId)).filter((file) => file !== null),
    );
  }

  listUploads({ userId, after, limit }: UploadsPage): Promise<readonly FileRecord[]> {
    const [createdAt, md5] = after === null ? [forever, ""] : [after.createdAt, after.md5];
    return this.#database.read(() => this.#files.listUploads.all(userId, createdAt, md5, limit));
  }

  findAttachment(relativePath: string): Promise<AttachmentRecord | null> {
    return this.#database.read(() => this.#files.findAttachment.one(relativePath));
  }

  takeExpiredFiles({ now, imagesBefore, limit }: FileExpiry): Promise<readonly FileRecord[]> {
    return this.#commit.write(() => {
      const unused = this.#files.unused.all(now, limit);
      const images = this.#files.oldImages.all(imagesBefore, limit - unused.length);
      const expired = [...unused, ...images];
      for (const { md5 } of expired) this.#files.remove(md5);
      return expired;
    });
  }

  takeFile(md5: string): Promise<FileRecord | null> {
    return this.#commit.write(() => {
      const file = this.#files.find.one(md5);
      if (file !== null) this.#files.remove(md5);
      return file;
    });
  }

  putAttachment(attachment: AttachmentRecord): Promise<boolean> {
    const { md5 } = attachment;
    const values = attachments.values(attachment);
    return this.#commit.write(() => {
      if (this.#files.find.one(md5) === null) return false;
      this.#files.attach(...values);
      return true;
    });
  }

  keepFile(md5: string): Promise<boolean> {
    return this.#commit.write(() => this.#files.use(forever, md5) > 0);
  }

  takeExpiredCodes(now: number): Promise<number> {
    return this.#commit.write(() => this.#codes.expire(now));
  }

  findBlobs(blobIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#database.readTogether(
      () => new Set(blobIds.map((blobId) => this.#files.findBlob.one(blobId)).filter((blobId) => blobId !== null)),
    );
  }

  /** The first of the files that does not exist, or null. Only for a verb that runs in a transaction. */
  findMissing(md5s: readonly string[]): string | null {
    return md5s.find((md5) => this.#files.find.one(md5) === null) ?? null;
  }

  /** Marks files as used by a message and keeps its attachments. Only for a verb that runs in a transaction. */
  use(append: Pick<MessageAppend, "files" | "attachments">, { groupId, seq, receiveTime }: MessageRecord): void {
    for (const md5 of append.files) {
      this.#uses.addUnplaced(md5);
      this.#files.use(receiveTime, md5);
      this.#uses.add(md5, groupId, seq);
    }
    for (const attachment of append.attachments) this.#files.attach(...attachments.values(attachment));
  }

  /**
   * Takes the attachments at these paths away, and lets go of the files that only this message used. Only for a verb that runs in
   * a transaction.
   */
  release({ groupId, seq }: MessageRecord, paths: readonly string[]): void {
    for (const path of paths) this.#uses.detach(path);
    for (const md5 of this.#uses.drop.all(groupId, seq)) this.#uses.free(md5, forever);
  }

  #put(put: FilePut): FilePutResult {
    const refusal = put.code === null ? null : this.#refuseCode(put.code, put.now);
    if (refusal !== null) return { outcome: refusal };
    const known = this.#files.find.one(put.file.md5);
    if (known !== null && known.sha256 !== put.file.sha256) return { outcome: "conflict" };
    if (known === null) this.#insert(put);
    else this.#files.renew(put.unusedUntil, known.md5);
    if (put.uploader !== null) this.#files.addUpload(put.file.md5, put.uploader);
    if (put.code !== null) this.#codes.consume(put.code.digest);
    if (put.reserved !== null) this.#shares.release({ ...put.reserved, bytes: put.reserved.bytes - put.file.size });
    if (known !== null) return { outcome: "known", file: known };
    return { outcome: "stored", file: { ...put.file, createdAt: put.now, usedAt: null } };
  }

  #insert({ file, now, unusedUntil }: FilePut): void {
    this.#files.insert(file.md5, file.sha256, file.size, file.mime, file.ext, file.blobId, now, unusedUntil);
  }

  #refuseCode(
    { digest, storageId }: NonNullable<FilePut["code"]>,
    now: number,
  ): "code_missing" | "code_used" | "code_expired" | null {
    const code = this.#codes.find.one(digest);
    if (code === null || code.storageId !== storageId) return "code_missing";
    if (code.used) return "code_used";
    return code.expiresAt <= now ? "code_expired" : null;
  }
}
