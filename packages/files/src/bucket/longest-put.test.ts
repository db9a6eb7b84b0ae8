import { createMemoryBlobs } from "@telex/blobs/memory";
import { expect, it } from "vitest";
import { boundPuts } from "./longest-put.ts";

const blobId = "a".repeat(32);

it("ends a put whose bytes come too slowly, and leaves nothing of it", async () => {
  let now = 0;
  const blobs = createMemoryBlobs();
  async function* slow(pause: number) {
    yield Buffer.from("a");
    now += pause;
    yield Buffer.from("b");
  }
  const bounded = boundPuts(blobs, 1000, () => now);
  await bounded.put(blobId, slow(1000));
  await expect(bounded.put("b".repeat(32), slow(1001))).rejects.toMatchObject({ code: "timeout" });
  expect(await blobs.open("b".repeat(32))).toBeNull();
});
