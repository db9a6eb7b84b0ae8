import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { createLogCollector, createManualClock, ticks } from "../../testing/index.ts";
import { startIndexing } from "./indexing.ts";

it("begins again after the storage has failed, until it is ended", async () => {
  const clock = createManualClock();
  const { messages } = createMemoryStorage({ clock });
  const log = createLogCollector();
  let [looks, fails] = [0, true];
  const store = {
    ...messages,
    listUnindexed(limit: number) {
      looks += 1;
      return fails ? Promise.reject(new Error("The storage is locked.")) : messages.listUnindexed(limit);
    },
  };
  const end = startIndexing({ store, search: { terms: () => [] }, clock, log });
  await ticks();
  expect(looks).toBe(1);
  await clock.advance(30_000);
  expect(looks).toBe(2);
  fails = false;
  await clock.advance(30_000);
  await clock.advance(60_000);
  expect(looks).toBe(3);
  fails = true;
  const endFailing = startIndexing({ store, search: { terms: () => [] }, clock, log });
  await ticks();
  endFailing();
  end();
  await clock.advance(60_000);
  expect(looks).toBe(4);
});
