import type { BlobStore, Storage } from "@telex/core";
import { copyFiles, type DamagedFile, type FilesReport } from "@telex/transfer";
import { Failure } from "../errors/errors.ts";
import type { Opened } from "../storage/opened.ts";

/** The files of a backup. */
export interface Files extends FilesReport {
  /** Files that a sweep removed after the database was copied. The backup does not name them. */
  readonly swept: number;
}

/** The source and target of the files of a backup. */
interface Work {
  readonly live: Pick<Opened, "storage" | "blobs">;
  /** The path of the copy of the database. */
  readonly snapshot: string;
  readonly to: Pick<BlobStore, "put" | "delete" | "list">;
  readonly skipDamaged: boolean;
}

/**
 * Copies the files that the copied database names, and drops those that were swept since.
 * @throws Failure `damaged_file` (as a rejection)
 */
export async function copyBlobs(
  { live, snapshot, to, skipDamaged }: Work,
  progress: (done: number, total: number) => void,
): Promise<Files> {
  const { createSqliteStorage } = await import("@telex/storage-sqlite");
  const copy = await createSqliteStorage({ file: snapshot });
  try {
    const { records } = copy;
    const files = await copyFiles({ records, blobs: live.blobs }, to, { skipDamaged: true, progress });
    const damaged = await forgetSwept(files.damaged, live.storage, copy);
    const [first] = damaged;
    if (first !== undefined && !skipDamaged) throw damagedFile(first);
    return { ...files, damaged, swept: files.damaged.length - damaged.length };
  } finally {
    await copy.close();
  }
}

const damagedFile = ({ md5, fault }: DamagedFile): Failure =>
  new Failure(
    "damaged_file",
    `The bytes of file ${md5} are ${fault}. With --skip-damaged such files are left out of the backup.`,
  );

/** Drops swept files from the copy. Returns damaged ones, which are missing although they are still named. */
async function forgetSwept(
  missing: readonly DamagedFile[],
  live: Storage,
  copy: Storage,
): Promise<readonly DamagedFile[]> {
  const damaged: DamagedFile[] = [];
  for (const file of missing) {
    const [now, then] = await Promise.all([live.bucket.findFile(file.md5), copy.bucket.findFile(file.md5)]);
    if (now !== null && now.blobId === then?.blobId) damaged.push(file);
    else await copy.bucket.takeFile(file.md5);
  }
  return damaged;
}
