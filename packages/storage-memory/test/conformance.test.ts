import { storageConformance } from "@telex/core/conformance";
import { it } from "vitest";
import { createMemoryStorage } from "@telex/storage-memory";

storageConformance({
  test: it,
  create: async () => {
    const storage = createMemoryStorage();
    return { storage, countsIds: true, destroy: () => storage.close() };
  },
});
