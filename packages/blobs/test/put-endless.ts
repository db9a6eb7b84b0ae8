/** Stores an endless stream in `argv[2]`: prints when a part is on disk, and waits to be killed. */
import { createFsBlobs } from "../src/fs.ts";

async function* endless(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(100_000);
  process.stdout.write("a part is written\n");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}

await createFsBlobs({ directory: process.argv[2] ?? "" }).put("0".repeat(32), endless());
