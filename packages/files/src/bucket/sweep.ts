import type { Logger } from "@telex/ground/log";
import { repeat, type Clock } from "@telex/ground/time";
import type { BucketLimits } from "./limits.ts";
import type { BlobEntry, BlobStore } from "../blobs/blobs.ts";
import { isQuarantined, originalBlobId, thumbnailBlobId } from "../blobs/names.ts";
import type { BucketStore } from "./store.ts";
import type { FileRecord } from "../records.ts";

export interface SweepDeps {
  readonly store: BucketStore;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly limits: BucketLimits;
}

interface Swept {
  readonly files: number;
  readonly codes: number;
  readonly orphans: number;
  readonly bytes: number;
}

const batch = 200;

/** Removes the bytes of a file whose record is gone, with its preview. */
export async function dropBlobs(blobs: BlobStore, { blobId }: Pick<FileRecord, "blobId">): Promise<void> {
  await blobs.delete(thumbnailBlobId(blobId));
  await blobs.delete(blobId);
}

/** Removes records before bytes: a crash between the two leaves orphans, which the next sweep finds. */
async function sweepFiles({ store, blobs, clock, limits }: SweepDeps): Promise<Pick<Swept, "files" | "bytes">> {
  const now = clock.now();
  const expiry = { now, imagesBefore: now - limits.imageLife, limit: batch };
  let files = 0;
  let bytes = 0;
  for (;;) {
    const taken = await store.takeExpiredFiles(expiry);
    for (const file of taken) {
      await dropBlobs(blobs, file);
      files += 1;
      bytes += file.size;
    }
    if (taken.length < batch) return { files, bytes };
  }
}

async function dropOrphans(
  { store, blobs }: SweepDeps,
  entries: readonly BlobEntry[],
): Promise<Pick<Swept, "orphans" | "bytes">> {
  const stored = await store.findBlobs([...new Set(entries.map(({ blobId }) => originalBlobId(blobId)))]);
  const orphans = entries.filter(({ blobId }) => !stored.has(originalBlobId(blobId)));
  for (const { blobId } of orphans) await blobs.delete(blobId);
  return { orphans: orphans.length, bytes: orphans.reduce((sum, { size }) => sum + size, 0) };
}

/** Blobs that are old enough that no upload is about to give them a record, in batches. */
async function* oldBlobs({ blobs }: SweepDeps, before: number): AsyncGenerator<readonly BlobEntry[], void, undefined> {
  let entries: BlobEntry[] = [];
  for await (const entry of blobs.list()) {
    if (entry.createdAt >= before || isQuarantined(entry.blobId)) continue;
    entries.push(entry);
    if (entries.length < batch) continue;
    yield entries;
    entries = [];
  }
  yield entries;
}

/** Deletes old blobs without a record. */
async function sweepOrphans(deps: SweepDeps): Promise<Pick<Swept, "orphans" | "bytes">> {
  const before = deps.clock.now() - deps.limits.orphanAge;
  const total = { orphans: await deps.blobs.sweepPartial(before), bytes: 0 };
  for await (const entries of oldBlobs(deps, before)) {
    const { orphans, bytes } = await dropOrphans(deps, entries);
    total.orphans += orphans;
    total.bytes += bytes;
  }
  return total;
}

/** Deletes expired files, and files that crashes left behind. Two simultaneous sweeps do no harm. */
export async function sweep(deps: SweepDeps): Promise<Swept> {
  const expired = await sweepFiles(deps);
  const codes = await deps.store.takeExpiredCodes(deps.clock.now());
  const left = await sweepOrphans(deps);
  return { files: expired.files, codes, orphans: left.orphans, bytes: expired.bytes + left.bytes };
}

interface RepeatedSweepDeps extends SweepDeps {
  readonly log: Logger;
  /** False if another server sweeps in this interval. */
  readonly isOurs: () => Promise<boolean>;
  /** Sweeps sessions, links and grants in the same turn. */
  readonly sweepAccounts: () => Promise<void>;
}

/** Sweeps at an interval. A sweep that fails is reported, and the next one still runs. The returned function ends the sweeps. */
export function startSweeps(deps: RepeatedSweepDeps): () => void {
  const { clock, limits, log, isOurs, sweepAccounts } = deps;
  let hasEnded = false;
  const attempt = async (failure: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      if (!hasEnded) log.error(failure, {}, cause);
    }
  };
  const end = repeat(clock, limits.sweepInterval, () =>
    attempt("files.sweep_failed", async () => {
      if (!(await isOurs())) return;
      await attempt("accounts.sweep_failed", sweepAccounts);
      log.info("files.swept", { ...(await sweep(deps)) });
    }),
  );
  return () => {
    hasEnded = true;
    end();
  };
}
