export type { BlobEntry, BlobStore } from "./blobs/blobs.ts";
export { assertBlobId, isBlobId } from "./blobs/blob-id.ts";
export { incomingFile } from "./blobs/bytes.ts";
export type { ByteRange, ByteStream, IncomingFile, OutgoingFile } from "./blobs/bytes.ts";
export { DamagedBlobError } from "./blobs/damaged-blob.ts";
export {
  downloadPath,
  filePath,
  generateExtPath,
  generateRelativePath,
  imageName,
  isQuarantined,
  parseImageName,
} from "./blobs/names.ts";
