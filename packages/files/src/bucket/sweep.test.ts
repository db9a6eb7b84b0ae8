import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { createLogCollector, createManualClock, ticks } from "@telex/conformance/testing";
import { bucketLimits } from "./limits.ts";
import { startSweeps } from "./sweep.ts";

it("a sweep that fails after the end of the sweeps is neither reported nor followed by another one", async () => {
  const clock = createManualClock();
  const log = createLogCollector();
  const asked: PromiseWithResolvers<boolean>[] = [];
  const limits = { ...bucketLimits, sweepInterval: 1000 };
  const end = startSweeps({
    store: createMemoryStorage({ clock }).bucket,
    blobs: createMemoryBlobs({ clock }),
    clock,
    limits,
    log,
    sweepAccounts: async () => undefined,
    isOurs() {
      const answer = Promise.withResolvers<boolean>();
      asked.push(answer);
      return answer.promise;
    },
  });
  await clock.advance(1000);
  asked[0]?.reject(new Error("the storage is away"));
  await ticks();
  await clock.advance(1000);
  expect([asked.length, log.lines.length]).toEqual([2, 1]);
  end();
  asked[1]?.reject(new Error("the storage is away"));
  await ticks();
  await clock.advance(1000);
  expect([asked.length, log.lines.length]).toEqual([2, 1]);
});
