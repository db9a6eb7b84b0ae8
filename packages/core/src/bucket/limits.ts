import { day, hour, minute } from "../time/units.ts";

const mib = 1024 * 1024;

/** The limits of files. */
export interface BucketLimits {
  /** Milliseconds for which an upload code is valid (interface 2.8). */
  readonly codeLife: number;
  /** Bytes of an uploaded file (interface 4.7). */
  readonly fileSize: number;
  /** Milliseconds after which a file of a user that no message uses is deleted. */
  readonly unusedFileLife: number;
  /** Milliseconds after which a file that was uploaded without a user, by code, is deleted if no message uses it. */
  readonly codeFileLife: number;
  /** Bytes that one user may upload within 24 hours. */
  readonly userUploads: number;
  /** Bytes of pictures and files that one room of an external network may receive within 24 hours. */
  readonly roomFiles: number;
  /** Bytes of all uploads by code together that may be stored at a time. */
  readonly codeUploads: number;
  /** Milliseconds after which an image is deleted (interface 2.10). */
  readonly imageLife: number;
  /** Pixels per side of a `128_` preview (interface 2.10). */
  readonly thumbnailSide: number;
  /**
   * Milliseconds after which a blob without a record is an orphan, and not an upload about to get one; at least 600,000. A put whose bytes take
   * longer than half of it ends with `timeout`.
   */
  readonly orphanAge: number;
  /** Milliseconds between two sweeps. */
  readonly sweepInterval: number;
}

/** The default of each limit. */
export const bucketLimits: BucketLimits = {
  codeLife: 8 * hour,
  fileSize: 100 * mib,
  unusedFileLife: day,
  codeFileLife: hour,
  userUploads: 1024 * mib,
  roomFiles: 1024 * mib,
  codeUploads: 1024 * mib,
  imageLife: 90 * day,
  thumbnailSide: 128,
  orphanAge: 2 * hour,
  sweepInterval: 15 * minute,
};
