import { blobConformance } from "@telex/conformance";
import { createMongoBlobs, createMongoStorage } from "../src/index.ts";
import { newDatabase } from "./support/database.ts";
import { createSampled } from "test-support/every";
import { it } from "vitest";

blobConformance({
  test: createSampled(it),
  async create() {
    const url = newDatabase();
    const first = await createMongoStorage({ url, timeout: 60_000 });
    const opened = [first];
    return {
      blobs: createMongoBlobs(first.connection),
      async reopen() {
        const again = await createMongoStorage({ url, timeout: 60_000 });
        opened.push(again);
        return createMongoBlobs(again.connection);
      },
      destroy: async () => void (await Promise.all(opened.map((one) => one.close()))),
    };
  },
});
