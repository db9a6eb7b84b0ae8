/** Stores 100 MB in `argv[2]`, and prints the maximum growth of the resident memory in MiB. */
import { createFsBlobs } from "../src/fs.ts";

const blobs = createFsBlobs({ directory: process.argv[2] ?? "" });
const rss = (): number => process.memoryUsage.rss() / 2 ** 20;

async function* source(count: number, watch: () => void): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) {
    yield Buffer.alloc(64 * 1024, index);
    // Only the store is measured, and it must not keep a chunk.
    if (index % 64 === 0) globalThis.gc?.();
    watch();
  }
}

// The first put loads and compiles everything. Only the growth with the size matters.
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
