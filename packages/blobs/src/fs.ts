import * as fs from "node:fs/promises";
import type { BlobStore } from "@telex/core/storage";
import { type FsBlobsOptions, createBlobsOn } from "./fs-store.ts";

export type { FsBlobsOptions } from "./fs-store.ts";

/**
 * Blobs as files. A blob is written under a temporary name, made durable, and renamed: its file is whole or not there.
 * Directories are made when they are first needed.
 */
export const createFsBlobs = (options: FsBlobsOptions): BlobStore => createBlobsOn(fs, options);
