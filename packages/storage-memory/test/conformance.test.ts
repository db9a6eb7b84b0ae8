import { storageConformance } from "@telex/conformance";
import { createManualClock } from "@telex/conformance/testing";
import { it } from "vitest";
import { createMemoryStorage } from "@telex/storage-memory";

storageConformance({
  test: it,
  create: async () => {
    const clock = createManualClock();
    const storage = createMemoryStorage({ clock });
    return {
      storage,
      countsIds: true,
      advance: (milliseconds: number) => clock.advance(milliseconds),
      destroy: () => storage.close(),
    };
  },
});
