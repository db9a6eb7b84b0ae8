import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobConformance, type BlobSubject } from "@telex/conformance";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { describe, test } from "vitest";
import { createFsBlobs } from "../src/fs.ts";
import { createMemoryBlobs } from "../src/memory.ts";
import { createUnstorageBlobs } from "../src/unstorage.ts";
import type { UnstorageLike } from "../src/unstorage-like.ts";

const largest = 2 ** 23;
const nothing = (): Promise<void> => Promise.resolve();

/** A subject in a directory that is removed with it. */
async function inDirectory(subject: (directory: string) => Omit<BlobSubject, "destroy">): Promise<BlobSubject> {
  const directory = await mkdtemp(join(tmpdir(), "telex-blobs-"));
  return { ...subject(directory), destroy: () => rm(directory, { recursive: true, force: true }) };
}

const storageIn = (base: string): UnstorageLike =>
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- the driver's own type does not resolve under nodenext
  createStorage({ driver: fsDriver({ base }) });

const subjects: Readonly<Record<string, () => Promise<BlobSubject>>> = {
  files: () =>
    inDirectory((directory) => ({
      blobs: createFsBlobs({ directory }),
      reopen: async () => createFsBlobs({ directory }),
    })),
  memory: async () => ({ blobs: createMemoryBlobs({ capacity: 2 * largest }), largest, destroy: nothing }),
  "unstorage in memory": async () => ({ blobs: createUnstorageBlobs(createStorage()), largest, destroy: nothing }),
  "unstorage in files": () =>
    inDirectory((directory) => ({
      blobs: createUnstorageBlobs(storageIn(directory)),
      reopen: async () => createUnstorageBlobs(storageIn(directory)),
    })),
};

describe.each(Object.entries(subjects))("%s", (_name, create) => {
  blobConformance({ test, create });
});
