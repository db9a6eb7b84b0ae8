import type { BucketStore, FilePut } from "@telex/core/storage";
import { digitsOf, now, upload } from "../support/fixtures.ts";

export const hour = 3_600_000;

export const code = { digest: digitsOf(1, 64), storageId: "default" };

export const byCode = { uploader: null, code };

export const issue = (
  store: BucketStore,
  different: Partial<{ digest: string; expiresAt: number }> = {},
): Promise<void> => store.issueCode({ ...code, expiresAt: now + 8 * hour, ...different });

/** An upload with the MD5 of the first file and other bytes. */
export const forged = (different: Partial<FilePut> = {}) => upload(1, different, { sha256: digitsOf(99, 64), size: 5 });

export const md5 = (number: number): string => digitsOf(number, 32);

export const digits = (list: readonly string[], index: number): string => list[index] ?? "";
