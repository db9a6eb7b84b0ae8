import { join } from "node:path";
import { createStorage, prefixStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { expect, test } from "vitest";
import { blobId, chunks, collect, manyChunks, namesIn, readAll, temporaryDirectory, textOf } from "../test/support.ts";
import { createUnstorageBlobs } from "./unstorage.ts";
import type { UnstorageLike } from "./unstorage-like.ts";

const drivers: readonly (readonly [string, () => Promise<UnstorageLike>])[] = [
  ["memory", async () => createStorage()],
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- the driver's own type does not resolve under nodenext
  ["fs", async () => createStorage({ driver: fsDriver({ base: join(await temporaryDirectory(), "blobs") }) })],
  ["a prefix", async () => prefixStorage(createStorage(), "blobs")],
];

test.each(drivers)("blobs come back byte for byte over %s", async (_name, storageOf) => {
  const blobs = createUnstorageBlobs(await storageOf(), { clock: { now: () => 42, after: () => () => {} } });
  const bytes = Buffer.concat(await collect(manyChunks(300, 1000)));
  await blobs.put(blobId(1, ".jpg"), chunks(bytes));
  await blobs.put(blobId(2), chunks());
  expect((await readAll(await blobs.open(blobId(1, ".jpg"))))?.equals(bytes)).toBe(true);
  expect((await readAll(await blobs.open(blobId(1, ".jpg"), { start: 999, end: 1000 })))?.toString("hex")).toBe("0001");
  expect(await textOf(blobs, blobId(2))).toBe("");
  expect(await blobs.open(blobId(3))).toBeNull();
  await blobs.probe();
  expect((await collect(blobs.list())).toSorted((a, b) => a.size - b.size)).toEqual([
    { blobId: blobId(2), size: 0, createdAt: 42 },
    { blobId: blobId(1, ".jpg"), size: 300_000, createdAt: 42 },
  ]);
  await blobs.delete(blobId(2));
  await blobs.delete(blobId(2));
  expect(await namesIn(blobs)).toEqual([blobId(1, ".jpg")]);
});

test("a head that a driver wrote in part counts as none, and its parts are swept once they are old", async () => {
  const storage = createStorage();
  const blobs = createUnstorageBlobs(storage, { clock: { now: () => 42, after: () => () => {} } });
  await blobs.put(blobId(1), chunks("whole"));
  await blobs.put(blobId(2), chunks("torn in the middle"));
  const key = `heads:${blobId(2)}`;
  const whole = await storage.getItemRaw<Uint8Array>(key);
  for (const length of [0, 1, 20, (whole?.byteLength ?? 0) - 1]) {
    await storage.setItemRaw(key, whole?.subarray(0, length));
    expect(await blobs.open(blobId(2))).toBeNull();
    expect(await namesIn(blobs)).toEqual([blobId(1)]);
  }
  expect(await blobs.sweepPartial(42)).toBe(0);
  expect(await blobs.sweepPartial(43)).toBe(1);
  expect(await storage.getKeys("parts")).toHaveLength(1);
  expect(await textOf(blobs, blobId(1))).toBe("whole");
});

test("a head that is listed but not found keeps all parts: the driver may only have failed to read it", async () => {
  const storage = createStorage();
  const failing = { isOn: false };
  const getItemRaw: UnstorageLike["getItemRaw"] = (key) =>
    failing.isOn && key.startsWith("heads") ? Promise.resolve(null) : storage.getItemRaw(key);
  const blobs = createUnstorageBlobs({ ...storage, getItemRaw }, { clock: { now: () => 42, after: () => () => {} } });
  await blobs.put(blobId(1), chunks("whole"));
  failing.isOn = true;
  expect(await blobs.sweepPartial(43)).toBe(0);
  failing.isOn = false;
  expect(await textOf(blobs, blobId(1))).toBe("whole");
});

test("a driver that fails makes the storage unavailable, with its own error as the cause", async () => {
  const cause = new Error("the service of the driver is not there");
  const fail = () => Promise.reject(cause);
  const driver = { setItemRaw: fail, getItemRaw: fail, removeItem: fail, getKeys: fail };
  const blobs = createUnstorageBlobs({ ...driver, hasItem: () => Promise.resolve(true) });
  const expected = { code: "storage_unavailable", cause };
  await expect(blobs.put(blobId(1), chunks("x"))).rejects.toMatchObject(expected);
  await expect(blobs.open(blobId(1))).rejects.toMatchObject(expected);
  await expect(blobs.delete(blobId(1))).rejects.toMatchObject(expected);
  await expect(namesIn(blobs)).rejects.toMatchObject(expected);
  await expect(blobs.sweepPartial(1)).rejects.toMatchObject(expected);
  await expect(blobs.probe()).rejects.toMatchObject(expected);
});

test("a driver that fails for a key that is not there has no such file", async () => {
  const storage = createStorage();
  const getItemRaw: UnstorageLike["getItemRaw"] = async (key) => {
    const value: unknown = await storage.getItemRaw(key);
    if (value === null) throw new Error("404");
    return value;
  };
  const blobs = createUnstorageBlobs({ ...storage, getItemRaw });
  await blobs.probe();
  await blobs.put(blobId(1), chunks("whole"));
  expect(await textOf(blobs, blobId(1))).toBe("whole");
  expect(await blobs.open(blobId(2))).toBeNull();
  const unreachable = { ...storage, getItemRaw, hasItem: () => Promise.reject(new Error("not there")) };
  await expect(createUnstorageBlobs(unreachable).open(blobId(2))).rejects.toMatchObject({
    code: "storage_unavailable",
  });
});

test("a part that is missing is a failure, and not a shorter blob", async () => {
  const storage = createStorage();
  const blobs = createUnstorageBlobs(storage);
  await blobs.put(blobId(1), manyChunks(3, 2 ** 20));
  const [, second = ""] = (await storage.getKeys("parts")).toSorted();
  await storage.removeItem(second);
  await expect(textOf(blobs, blobId(1))).rejects.toMatchObject({ code: "storage_unavailable" });
  expect((await readAll(await blobs.open(blobId(1), { start: 0, end: 9 })))?.byteLength).toBe(10);
});

test("a driver that does not return bytes, or does nothing, is named as the reason", async () => {
  const storage = createStorage();
  await storage.setItem(`heads:${blobId(1)}`, "a text");
  const texts: UnstorageLike = { ...storage, getItemRaw: (key) => storage.getItem(key) };
  await expect(createUnstorageBlobs(texts).open(blobId(1))).rejects.toThrow("driver");
  for (const lacking of [
    { ...storage, setItemRaw: () => Promise.resolve() },
    { ...storage, removeItem: () => Promise.resolve() },
    { ...storage, getKeys: () => Promise.resolve([]) },
  ]) {
    await expect(createUnstorageBlobs(lacking).probe()).rejects.toMatchObject({ code: "storage_unavailable" });
  }
});
