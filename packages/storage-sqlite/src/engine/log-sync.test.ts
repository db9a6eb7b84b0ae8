import { closeSync, openSync, writeSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFile } from "../../test/support.ts";
import { LogSync, type SyncTimes } from "./log-sync.ts";

function open(file: string, times: SyncTimes): LogSync {
  const log = new LogSync(file, times);
  onTestFinished(() => log.close());
  return log;
}

function newFile(): string {
  const file = temporaryFile();
  const handle = openSync(file, "w");
  writeSync(handle, "log");
  closeSync(handle);
  return file;
}

/** A disk whose syncs take as long as the test specifies. */
function createDisk() {
  let time = 0;
  let begins = false;
  let syncTime = 0;
  const now = (): number => {
    begins = !begins;
    if (!begins) time += syncTime;
    return time;
  };
  const log = open(newFile(), { now });
  return {
    pass: (milliseconds: number) => void (time += milliseconds),
    /** Syncs, and returns where that happened. */
    sync: (milliseconds: number): Promise<string> => {
      syncTime = milliseconds;
      let where = "in place";
      const ended = new Promise<string>((resolve, reject) => {
        log.sync((error) => (error === null ? resolve(where) : reject(error)));
      });
      where = "in a thread";
      return ended;
    },
  };
}

it("a sync that takes 5 ms leaves those of the next second to a thread", async () => {
  const { pass, sync } = createDisk();
  expect(await sync(4.9)).toBe("in place");
  expect(await sync(5)).toBe("in place");
  expect(await sync(0.1)).toBe("in a thread");
  pass(998);
  expect(await sync(0.1)).toBe("in a thread");
  pass(2);
  expect(await sync(0.1)).toBe("in place");
});

it("a disk that stays slow is left to a thread", async () => {
  const { pass, sync } = createDisk();
  await sync(5);
  for (let second = 0; second < 3; second += 1) {
    pass(900);
    expect(await sync(20)).toBe("in a thread");
  }
});

it.each([
  ["in place", { slow: Number.POSITIVE_INFINITY }],
  ["in a thread", { slow: 0, slowTime: Number.POSITIVE_INFINITY }],
])("a sync that fails %s is final", async (_, times) => {
  // Can be opened and written, but not synced.
  const log = open("/dev/null", times);
  log.assertSound();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    log.sync(resolve);
    expect(await promise).toMatchObject({ code: "storage_unavailable" });
  }
  expect(() => log.assertSound()).toThrow("storage_unavailable");
});
