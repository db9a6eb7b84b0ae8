import { type BlobEntry, type BlobStore, isQuarantined, type RecordStore } from "@telex/core/storage";
import { readRecords } from "./digest.ts";

/** A blob that is moved, and the expected size and digest of its bytes. */
export interface NamedBlob {
  /** The MD5 of the bytes: the file's address. */
  readonly md5: string;
  readonly blobId: string;
  /** Bytes. */
  readonly size: number;
  readonly digest: { readonly algorithm: "sha256" | "md5"; readonly hex: string };
}

const quarantined = ({ blobId, size }: BlobEntry): NamedBlob => {
  const md5 = blobId.slice(0, 32);
  return { md5, blobId, size, digest: { algorithm: "md5", hex: md5 } };
};

/**
 * The blobs that belong to an installation: those of its files, and those taken out of service, which cannot be uploaded
 * again. Previews do not belong to them, because they are made again on request.
 */
export async function* namedBlobs(records: RecordStore, blobs: Pick<BlobStore, "list">): AsyncGenerator<NamedBlob> {
  for await (const files of readRecords(records, "files")) {
    for (const { md5, blobId, size, sha256 } of files)
      yield { md5, blobId, size, digest: { algorithm: "sha256", hex: sha256 } };
  }
  for await (const entry of blobs.list()) if (isQuarantined(entry.blobId)) yield quarantined(entry);
}
