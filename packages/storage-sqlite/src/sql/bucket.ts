import type { FileRecord, UploadedFile } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { integer, integerOrNull, type Row, text } from "../engine/rows.ts";
import { describeTable } from "../engine/table.ts";

export const codes = describeTable("codes");

export const attachments = describeTable("attachments");

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

const readUpload = (row: Row): UploadedFile => ({
  ...readFile(row),
  name: text(row, "name"),
  kind: text(row, "kind"),
  uploadedAt: integer(row, "uploaded_at"),
});

/** The greatest time, as the last use of a file that is kept permanently. */
export const forever = Number.MAX_SAFE_INTEGER;

const fileColumns = "md5, sha256, size, mime, ext, blob_id, created_at, used_at";

const uploadColumns = `md5, sha256, size, mime, ext, blob_id, files.created_at AS created_at, used_at,
  name, kind, uploads.created_at AS uploaded_at`;

export const prepareCodes = (database: Database) => ({
  insert: database.command(`INSERT INTO codes (${codes.names}) VALUES (${codes.marks})`),
  find: database.query(`SELECT ${codes.names} FROM codes WHERE digest = ?`, codes.read),
  consume: database.command("UPDATE codes SET used = 1 WHERE digest = ?"),
  expire: database.command("DELETE FROM codes WHERE expires_at < ?"),
});

export const prepareFiles = (database: Database) => ({
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
    `SELECT ${fileColumns} FROM files WHERE ext <> '' AND used_at < ? AND unused_until <= ? ORDER BY used_at LIMIT ?`,
    readFile,
  ),
  remove: database.command("DELETE FROM files WHERE md5 = ?"),
  findBlob: database.query("SELECT blob_id FROM files WHERE blob_id = ?", (row) => text(row, "blob_id")),
  addUpload: database.command(`
    INSERT INTO uploads (md5, user_id, name, kind, created_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET name = excluded.name, kind = excluded.kind`),
  findUpload: database.query(
    `SELECT ${uploadColumns} FROM uploads JOIN files USING (md5) WHERE md5 = ? AND user_id = ?`,
    readUpload,
  ),
  listUploads: database.query(
    `SELECT ${uploadColumns} FROM uploads JOIN files USING (md5)
      WHERE user_id = ? AND (uploads.created_at, uploads.md5) < (?, ?)
      ORDER BY uploads.created_at DESC, uploads.md5 DESC LIMIT ?`,
    readUpload,
  ),
  dropUpload: database.command("DELETE FROM uploads WHERE md5 = ? AND user_id = ?"),
  /** The file, if nothing uses it. */
  findFree: database.query(
    `SELECT ${fileColumns} FROM files
      WHERE md5 = ?1 AND used_at IS NULL AND NOT EXISTS (SELECT 1 FROM uploads WHERE md5 = ?1)`,
    readFile,
  ),
  hold: database.command(`
    UPDATE files SET unused_until = max(unused_until, ?3)
      WHERE md5 = ?1 AND EXISTS (SELECT 1 FROM uploads WHERE md5 = ?1 AND user_id = ?2)`),
  attach: database.command(`INSERT OR IGNORE INTO attachments (${attachments.names}) VALUES (${attachments.marks})`),
  findAttachment: database.query(
    `SELECT ${attachments.names} FROM attachments WHERE relative_path = ?`,
    attachments.read,
  ),
});

export const prepareUses = (database: Database) => ({
  /** Marks uses of earlier versions, which did not store the messages that use a file. */
  addUnknown: database.command(`
    INSERT OR IGNORE INTO file_uses SELECT md5, 0, 0 FROM files
      WHERE md5 = ?1 AND used_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM file_uses WHERE md5 = ?1)`),
  add: database.command("INSERT OR IGNORE INTO file_uses (md5, group_id, seq) VALUES (?, ?, ?)"),
  drop: database.query("DELETE FROM file_uses WHERE group_id = ? AND seq = ? RETURNING md5", (row) => text(row, "md5")),
  dropRange: database.query("DELETE FROM file_uses WHERE group_id = ? AND seq BETWEEN ? AND ? RETURNING md5", (row) =>
    text(row, "md5"),
  ),
  free: database.command(`
    UPDATE files SET used_at = NULL
      WHERE md5 = ?1 AND used_at < ?2 AND NOT EXISTS (SELECT 1 FROM file_uses WHERE md5 = ?1)`),
  detach: database.command("DELETE FROM attachments WHERE relative_path = ?"),
});
