/** Stores 100 MB in `argv[2]` and prints by how many MiB the resident memory grew at most. */
import { createFsBlobs } from "../src/fs.ts";

const blobs = createFsBlobs({ directory: process.argv[2] ?? "" });
const rss = (): number => process.memoryUsage.rss() / 2 ** 20;

async function* source(count: number, watch: () => void): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) {
    yield Buffer.alloc(64 * 1024, index);
    // The chunks are ours; the store is measured, and it may keep none of them.
    if (index % 64 === 0) globalThis.gc?.();
    watch();
  }
}

// The first put loads and compiles everything; what counts is what the size adds.
await blobs.put(
  "0".repeat(32),
  source(1, () => {}),
);
const before = rss();
let peak = before;
await blobs.put(
  "1".repeat(32),
  source(1600, () => {
    peak = Math.max(peak, rss());
  }),
);
process.stdout.write(String(peak - before));
