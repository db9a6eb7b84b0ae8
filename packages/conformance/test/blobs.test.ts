import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFsBlobs } from "@telex/blobs/fs";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { describe, it } from "vitest";
import { blobConformance } from "../src/index.ts";

describe("files", () => {
  blobConformance({
    test: it,
    create: async () => {
      const directory = await mkdtemp(join(tmpdir(), "telex-blobs-"));
      return {
        blobs: createFsBlobs({ directory }),
        reopen: () => Promise.resolve(createFsBlobs({ directory })),
        destroy: () => rm(directory, { recursive: true }),
      };
    },
  });
});

describe("memory", () => {
  blobConformance({
    test: it,
    create: () =>
      Promise.resolve({ blobs: createMemoryBlobs(), largest: 8 * 2 ** 20, destroy: () => Promise.resolve() }),
  });
});
