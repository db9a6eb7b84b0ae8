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
  UploadedFile,
  UploadReservation,
  UploadShare,
  UploadsPage,
  UploadTaken,
} from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { UploadShares } from "./upload-shares.ts";
import { codes, attachments, forever, prepareCodes, prepareFiles, prepareUses } from "../sql/bucket.ts";

/** The position and the time of a use: Unix milliseconds. */
type Use = Pick<MessageRecord, "groupId" | "seq" | "receiveTime">;

/** Records of files and upload codes. Foreign keys delete uploads and attachments together with their file. */
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

  releaseUpload({ ...share }: UploadShare): Promise<void> {
    return this.#commit.write(() => this.#shares.release(share));
  }

  findFile(md5: string): Promise<FileRecord | null> {
    return this.#database.read(() => this.#files.find.one(md5));
  }

  listFiles({ after, limit }: { readonly after: string; readonly limit: number }): Promise<readonly FileRecord[]> {
    return this.#database.read(() => this.#files.list.all(after, limit));
  }

  findUploads(userId: number, md5s: readonly string[]): Promise<readonly UploadedFile[]> {
    return this.#database.readTogether(() =>
      Array.from(new Set(md5s), (md5) => this.#files.findUpload.one(md5, userId)).filter((file) => file !== null),
    );
  }

  listUploads({ userId, after, limit }: UploadsPage): Promise<readonly UploadedFile[]> {
    const [uploadedAt, md5] = after === null ? [forever, ""] : [after.uploadedAt, after.md5];
    return this.#database.readTogether(() => this.#files.listUploads.all(userId, uploadedAt, md5, limit));
  }

  takeUpload({ userId, md5 }: Parameters<BucketStore["takeUpload"]>[0]): Promise<UploadTaken> {
    return this.#commit.write(() => {
      if (this.#files.dropUpload(md5, userId) === 0) return { outcome: "missing" };
      const file = this.#files.findFree.one(md5);
      if (file === null) return { outcome: "kept" };
      this.#files.remove(md5);
      return { outcome: "dropped", file };
    });
  }

  holdUpload({ userId, md5, until }: Parameters<BucketStore["holdUpload"]>[0]): Promise<boolean> {
    return this.#commit.write(() => this.#files.hold(md5, userId, until) > 0);
  }

  findAttachment(relativePath: string): Promise<AttachmentRecord | null> {
    return this.#database.read(() => this.#files.findAttachment.one(relativePath));
  }

  takeExpiredFiles({ now, imagesBefore, limit }: FileExpiry): Promise<readonly FileRecord[]> {
    return this.#commit.write(() => {
      const unused = this.#files.unused.all(now, limit);
      const expired = [...unused, ...this.#files.oldImages.all(imagesBefore, now, limit - unused.length)];
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

  /** The first of the files that does not exist, or null. Only call it in a transaction. */
  findMissing(md5s: readonly string[]): string | null {
    return md5s.find((md5) => this.#files.find.one(md5) === null) ?? null;
  }

  /** Marks files as used by a message, and stores its attachments. Only call it in a transaction. */
  use(append: Pick<MessageAppend, "files" | "attachments">, { groupId, seq, receiveTime }: Use): void {
    for (const md5 of append.files) {
      this.#uses.addUnknown(md5);
      this.#files.use(receiveTime, md5);
      this.#uses.add(md5, groupId, seq);
    }
    for (const attachment of append.attachments) this.#files.attach(...attachments.values(attachment));
  }

  /**
   * Removes the attachments at these paths, and frees the files that only this message used. Only call it in a transaction.
   */
  release({ groupId, seq }: MessageRecord, paths: readonly string[]): void {
    for (const path of paths) this.#uses.detach(path);
    for (const md5 of this.#uses.drop.all(groupId, seq)) this.#uses.free(md5, forever);
  }

  /** Frees the files that only these messages used. Only call it in a transaction. */
  releaseRange(groupId: number, from: number, to: number): void {
    for (const md5 of this.#uses.dropRange.all(groupId, from, to)) this.#uses.free(md5, forever);
  }

  #put(put: FilePut): FilePutResult {
    const refusal = put.code === null ? null : this.#refuseCode(put.code, put.now);
    if (refusal !== null) return { outcome: refusal };
    const existing = this.#files.find.one(put.file.md5);
    if (existing !== null && existing.sha256 !== put.file.sha256) return { outcome: "conflict" };
    if (existing === null) this.#insert(put);
    else this.#files.renew(put.unusedUntil, existing.md5);
    this.#files.addUpload(put.file.md5, put.uploader ?? 0, put.name, put.kind, put.now);
    if (put.code !== null) this.#codes.consume(put.code.digest);
    if (put.reserved !== null) this.#shares.release({ ...put.reserved, bytes: put.reserved.bytes - put.file.size });
    if (existing !== null) return { outcome: "known", file: existing };
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
