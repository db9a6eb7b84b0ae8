import type { BucketStore, UploadReservation, UploadShare } from "@telex/core/storage";
import type { Table } from "../engine/tables.ts";

/** Bytes of uploads that count towards a share. */
export interface UploadShares {
  readonly reserve: (...args: Parameters<BucketStore["reserveUpload"]>) => UploadReservation;
  readonly release: (share: UploadShare) => void;
  readonly table: Table<UploadShare>;
}

const keyOf = ({ uploader, until }: Pick<UploadShare, "uploader" | "until">): string => `${uploader} ${until}`;

export function createUploadShares(): UploadShares {
  const shares = new Map<string, UploadShare>();
  const put = (share: UploadShare): void => void shares.set(keyOf(share), { ...share });
  const change = (share: UploadShare, bytes: number): void => {
    const counted = shares.get(keyOf(share))?.bytes ?? 0;
    put({ ...share, bytes: Math.max(0, counted + bytes) });
  };
  const dropExpired = (now: number): void => {
    for (const [key, { until }] of shares) if (until <= now) shares.delete(key);
  };

  return {
    reserve(share, { max, now }) {
      dropExpired(now);
      const counting = Array.from(shares.values()).filter(
        ({ uploader, bytes }) => uploader === share.uploader && bytes > 0,
      );
      if (share.bytes + counting.reduce((sum, { bytes }) => sum + bytes, 0) > max)
        return { outcome: "used_up", freeAt: Math.min(share.until, ...counting.map(({ until }) => until)) };
      change(share, share.bytes);
      return { outcome: "reserved" };
    },
    release(share) {
      if (shares.has(keyOf(share))) change(share, -share.bytes);
    },
    table: { all: () => shares.values(), put },
  };
}
