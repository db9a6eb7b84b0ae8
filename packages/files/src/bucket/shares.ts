import { TelexError } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import type { BucketLimits } from "./limits.ts";
import type { BucketStore, UploadReservation } from "./store.ts";
import type { UploadShare } from "../records.ts";

interface ShareDeps {
  readonly store: Pick<BucketStore, "reserveUpload" | "releaseUpload">;
  readonly clock: Clock;
  readonly limits: Pick<BucketLimits, "userUploads" | "codeUploads" | "roomFiles" | "codeFileLife" | "sweepInterval">;
  readonly log: Logger;
}

interface Share {
  /**
   * Makes sure that this many bytes of the upload are reserved.
   * @param size bytes that have arrived; never less than before
   * @throws TelexError `quota_exceeded` if the share is used up
   */
  grow(size: number): Promise<void>;
  reserved(): UploadShare;
  /** Releases all bytes after an upload that was not stored. Never rejects; bytes that cannot be released count until their time. */
  release(): Promise<void>;
}

const day = 86_400_000;
/** A share is counted in this many parts of its time, so that few rows are kept for each uploader. */
const parts = 24;
const firstStep = 256 * 1024;
const largestStep = 8 * 1024 * 1024;

/** The bytes that an uploader may upload, and how long they count: bytes without a user count while they can be on the disk. */
function allowance(uploader: number, limits: ShareDeps["limits"]) {
  if (uploader === 0) return { max: limits.codeUploads, life: limits.codeFileLife + limits.sweepInterval };
  return { max: uploader > 0 ? limits.userUploads : limits.roomFiles, life: day };
}

function usedUp(max: number, milliseconds: number): TelexError {
  const retryAfter = Math.max(1, Math.ceil(milliseconds / 1000));
  return new TelexError("quota_exceeded", { reason: "uploads_used_up", params: { max }, retryAfter });
}

/**
 * Opens the share of an upload. Bytes are reserved in steps while they arrive, because most clients can announce any size.
 * @param uploader the user; 0 for an upload without one; below 0 the room that the file was received for
 */
export function openShare({ store, clock, limits, log }: ShareDeps, uploader: number): Share {
  const { max, life } = allowance(uploader, limits);
  const part = Math.ceil(life / parts);
  const until = Math.ceil((clock.now() + life) / part) * part;
  let reserved = 0;
  const reserve = async (bytes: number): Promise<UploadReservation> => {
    const result = await store.reserveUpload({ uploader, until, bytes }, { max, now: clock.now() });
    if (result.outcome === "reserved") reserved += bytes;
    return result;
  };
  return {
    async grow(size) {
      const needed = size - reserved;
      if (needed <= 0) return;
      const step = Math.max(needed, Math.min(Math.max(reserved, firstStep), largestStep));
      if ((await reserve(step)).outcome === "reserved") return;
      // The end of a share is smaller than a step.
      const last = await reserve(needed);
      if (last.outcome === "used_up") throw usedUp(max, last.freeAt - clock.now());
    },
    reserved: () => ({ uploader, until, bytes: reserved }),
    async release() {
      if (reserved === 0) return;
      await store.releaseUpload({ uploader, until, bytes: reserved }).catch((cause: unknown) => {
        log.error("upload.release_failed", { bytes: reserved }, cause);
      });
    },
  };
}
