import * as fs from "node:fs/promises";
import type { BlobStore } from "@telex/core/storage";
import { type FsBlobsOptions, createBlobsOn } from "./fs-store.ts";

export type { FsBlobsOptions } from "./fs-store.ts";

/**
 * Stores blobs as files. A blob is written under a temporary name, made durable, and renamed, so its file is complete or absent.
 * Directories are created on first use.
 */
export const createFsBlobs = (options: FsBlobsOptions): BlobStore => createBlobsOn(fs, options);
