import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { sampleRecords } from "@telex/conformance";
import { type RecordKind, recordKinds, type RecordStore } from "@telex/core/storage";
import { copySnapshot } from "./snapshot.ts";
import type { TransferProgress } from "./options.ts";

/** Records of every kind; each kind can be listed once. */
async function createSource(): Promise<Pick<RecordStore, "list">> {
  const { records } = createMemoryStorage();
  for (const kind of recordKinds) await records.put(kind, sampleRecords[kind]);
  const read = new Set<RecordKind>();
  return {
    async list(kind, page) {
      if (read.has(kind)) throw new Error(`The ${kind} were read before.`);
      read.add(kind);
      return records.list(kind, page);
    },
  };
}

it("a copy of a snapshot reads it once, and tells how far it is", async () => {
  const { records: to } = createMemoryStorage();
  const told: TransferProgress[] = [];
  const progress = (one: TransferProgress) => void told.push(one);
  await copySnapshot({ from: await createSource(), to, total: 3, progress });
  for (const kind of recordKinds) {
    expect(await to.list(kind, { after: null, limit: 1000 })).toEqual(sampleRecords[kind]);
  }
  expect(new Set(told.map(({ phase }) => phase))).toEqual(new Set(["records", "check"]));
  expect(told.filter(({ done, total }) => done > total)).toEqual([]);
});

it("a copy of a snapshot finds what the target has not stored as it was", async () => {
  const { records } = createMemoryStorage();
  const to: RecordStore = {
    list: (kind, page) => records.list(kind, page),
    count: (kind) => records.count(kind),
    put: (kind, all) => records.put(kind, kind === "tokens" ? all.slice(1) : all),
  };
  const copy = { from: await createSource(), to, total: 0, progress: () => undefined };
  await expect(copySnapshot(copy)).rejects.toMatchObject({
    fault: "differs",
    message: expect.stringMatching("tokens") as unknown,
  });
});
