import { day, hour, minute } from "@telex/ground/time";

const mib = 1024 * 1024;

/** The limits of files and uploads, with their defaults. */
export const bucketLimits = {
  /** Milliseconds for which an upload code is valid (interface 2.8). */
  codeLife: 8 * hour,
  /** Bytes of an uploaded file (interface 4.7). */
  fileSize: 100 * mib,
  /** Milliseconds after which a file of a user that no message uses is deleted. */
  unusedFileLife: day,
  /** Milliseconds after which a file that was uploaded without a user, by code, is deleted if no message uses it. */
  codeFileLife: hour,
  /** Bytes that one user may upload within 24 hours. */
  userUploads: 1024 * mib,
  /** Bytes of pictures and files that one room of an external network may receive within 24 hours. */
  roomFiles: 1024 * mib,
  /** Bytes of all uploads by code together that may be stored at a time. */
  codeUploads: 1024 * mib,
  /** Milliseconds after which an image is deleted (interface 2.10). */
  imageLife: 90 * day,
  /** Links to files that one user may have at a time. */
  fileLinks: 200,
  /** The longest life of a link to a file, in milliseconds. */
  fileLinkLife: 30 * day,
  /** Pixels per side of a `128_` preview (interface 2.10). */
  thumbnailSide: 128,
  /**
   * Milliseconds after which a blob without a record is an orphan, and not an upload about to get one; at least 600,000. A put whose bytes take
   * longer than half of it ends with `timeout`.
   */
  orphanAge: 2 * hour,
  /** Milliseconds between two sweeps. */
  sweepInterval: 15 * minute,
};

/** The type of {@link bucketLimits}, by name. */
export interface BucketLimits extends Readonly<typeof bucketLimits> {}
