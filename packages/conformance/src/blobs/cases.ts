import type { BlobCase } from "./blob-kit.ts";
import { nameCases } from "./names.ts";
import { putCases } from "./put.ts";
import { readCases } from "./read.ts";
import { streamCases } from "./streams.ts";

/** Every promise of `BlobStore`. */
export const blobCases: readonly BlobCase[] = [...putCases, ...nameCases, ...streamCases, ...readCases];
