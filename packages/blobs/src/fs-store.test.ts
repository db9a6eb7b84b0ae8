import * as fs from "node:fs/promises";
import { mkdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import {
  blobId,
  chunks,
  collect,
  filesUnder,
  manyChunks,
  namesIn,
  openFilesUnder,
  readAll,
  refuse,
  temporaryDirectory,
  textOf,
  watchedFs,
} from "../test/support.ts";
import { createFsBlobs } from "./fs.ts";
import { createBlobsOn } from "./fs-store.ts";

const id = blobId(1);

async function storeIn() {
  const directory = await temporaryDirectory();
  return { directory, blobs: createFsBlobs({ directory }) };
}

test("a blob lies under the first two digits of its name, for its owner's eyes only", async () => {
  const { directory, blobs } = await storeIn();
  await blobs.put("ab".repeat(16) + ".jpg", chunks("a", "b"));
  expect(await filesUnder(directory)).toEqual([`ab/${"ab".repeat(16)}.jpg`]);
  expect((await stat(join(directory, "ab", `${"ab".repeat(16)}.jpg`))).mode & 0o777).toBe(0o600);
  expect((await stat(join(directory, "ab"))).mode & 0o777).toBe(0o700);
});

test("a blob is invisible until it is complete", async () => {
  const { blobs } = await storeIn();
  const seen: (string | null)[] = [];
  async function* watched() {
    for (const part of ["one ", "two ", "three"]) {
      yield Buffer.from(part);
      // The part is in the file: the writer requests the next part after writing one.
      seen.push(await textOf(blobs, id), ...(await namesIn(blobs)));
    }
  }
  await blobs.put(id, watched());
  expect(seen).toEqual([null, null, null]);
  expect(await textOf(blobs, id)).toBe("one two three");
});

test("a read during a replacement returns the old blob or the new one, complete", async () => {
  const { blobs } = await storeIn();
  await blobs.put(id, manyChunks(8, 64 * 1024));
  const old = await readAll(await blobs.open(id));
  const reader = await blobs.open(id);
  await blobs.put(id, chunks("new"));
  expect((await readAll(reader))?.equals(old ?? Buffer.alloc(0))).toBe(true);
  expect(await textOf(blobs, id)).toBe("new");
});

test("a stream that fails leaves nothing, and its own error comes back", async () => {
  const { directory, blobs } = await storeIn();
  const broken = new Error("the client is gone");
  async function* failing() {
    yield Buffer.alloc(100_000);
    throw broken;
  }
  await expect(blobs.put(id, failing())).rejects.toBe(broken);
  expect(await filesUnder(directory)).toEqual([]);
  expect(await textOf(blobs, id)).toBeNull();
  expect(await openFilesUnder(directory)).toEqual([]);
});

test("an answer to put comes after the bytes, the name and every new directory are durable", async () => {
  const root = await temporaryDirectory();
  const log: string[] = [];
  const blobs = createBlobsOn(watchedFs(log, root), { directory: join(root, "data", "blobs") });
  await blobs.put(id, chunks("a"));
  expect(log.map((line) => line.replace(/partial\/[0-9a-f]{32}/, "partial/*"))).toEqual([
    "sync /",
    "sync /data",
    "sync /data/blobs",
    "sync /data/blobs",
    "sync /data/blobs/.partial/*",
    `rename /data/blobs/.partial/* /data/blobs/00/${id}`,
    "sync /data/blobs/00",
  ]);

  log.length = 0;
  await blobs.put(blobId(2), chunks("b"));
  expect(log).toHaveLength(3);
});

test("a name that cannot be made durable is taken back", async () => {
  const root = await temporaryDirectory();
  const real = watchedFs([], root);
  const failing: typeof real.open = async (path, flags, mode) => {
    const handle = await real.open(path, flags, mode);
    return String(path).endsWith("/00") ? Object.assign(handle, { sync: () => refuse("EIO") }) : handle;
  };
  const blobs = createBlobsOn({ ...real, open: failing }, { directory: root });
  await expect(blobs.put(id, chunks("a"))).rejects.toMatchObject({ code: "storage_unavailable" });
  expect(await filesUnder(root)).toEqual([]);
});

test("many puts into directories that are not there yet all succeed", async () => {
  const { blobs, directory } = await storeIn();
  const other = createFsBlobs({ directory });
  const names = Array.from({ length: 40 }, (_, index) => blobId(index));
  await Promise.all(names.map((name, index) => (index % 2 === 0 ? blobs : other).put(name, chunks(name))));
  expect(await namesIn(blobs)).toEqual(names);
});

test("removed directories are created again", async () => {
  const { blobs, directory } = await storeIn();
  await blobs.put(id, chunks("a"));
  await rm(directory, { recursive: true });
  await expect(blobs.put(id, chunks("a"))).rejects.toThrow("ENOENT");
  await blobs.put(id, chunks("b"));
  expect(await textOf(blobs, id)).toBe("b");
});

test("a range contains its last byte, and is empty behind the end", async () => {
  const { blobs } = await storeIn();
  await blobs.put(id, chunks("0123456789"));
  const part = async (start: number, end: number) => (await readAll(await blobs.open(id, { start, end })))?.toString();
  expect(await part(0, 0)).toBe("0");
  expect(await part(3, 5)).toBe("345");
  expect(await part(8, 100)).toBe("89");
  expect(await part(10, 20)).toBe("");
  const large = Buffer.concat(await collect(manyChunks(11, 100_000)));
  await blobs.put(blobId(2), chunks(large));
  const middle = await readAll(await blobs.open(blobId(2), { start: 99_999, end: 900_000 }));
  expect(middle?.equals(large.subarray(99_999, 900_001))).toBe(true);
});

test("a reader's descriptor goes when it has read, when it stops, and when it never began", async () => {
  const { blobs, directory } = await storeIn();
  await blobs.put(id, manyChunks(10, 200_000));
  await blobs.put(blobId(2), chunks());
  const reads: ((stream: AsyncIterable<Uint8Array>) => Promise<unknown>)[] = [
    (stream) => readAll(stream),
    async (stream) => {
      for await (const chunk of stream) return chunk;
      return null;
    },
    async (stream) => stream[Symbol.asyncIterator]().return?.(),
    (stream) => {
      const readable = Readable.from(stream);
      const closed = new Promise((resolve) => readable.on("close", resolve));
      readable.destroy();
      return closed;
    },
  ];
  for (const name of [id, blobId(2)]) {
    for (const read of reads) {
      const stream = await blobs.open(name);
      expect(await openFilesUnder(directory)).toHaveLength(1);
      await read(stream ?? chunks());
      expect(await openFilesUnder(directory)).toEqual([]);
    }
  }
});

test("a reader that has the last byte need not ask for more", async () => {
  const { blobs, directory } = await storeIn();
  await blobs.put(id, chunks("0123456789"));
  const iterator = (await blobs.open(id, { start: 2, end: 4 }))?.[Symbol.asyncIterator]();
  expect(Buffer.from((await iterator?.next())?.value ?? []).toString()).toBe("234");
  expect(await openFilesUnder(directory)).toEqual([]);
  expect(await iterator?.next()).toEqual({ done: true, value: undefined });
});

test("a reader that stops while a chunk is on its way gets no error and keeps nothing", async () => {
  const { blobs, directory } = await storeIn();
  await blobs.put(id, manyChunks(10, 200_000));
  const iterator = (await blobs.open(id))?.[Symbol.asyncIterator]();
  const chunk = iterator?.next();
  await iterator?.return?.();
  expect((await chunk)?.done).toBe(false);
  expect(await iterator?.next()).toEqual({ done: true, value: undefined });
  expect(await openFilesUnder(directory)).toEqual([]);
});

test("a blob can be read to its end after it was removed", async () => {
  const { blobs } = await storeIn();
  await blobs.put(id, chunks("still here"));
  const stream = await blobs.open(id);
  await blobs.delete(id);
  await blobs.delete(id);
  expect((await readAll(stream))?.toString()).toBe("still here");
  expect(await blobs.open(id)).toBeNull();
});

test("a sweep removes the rest of an interrupted put, and no put in progress", async () => {
  const { blobs, directory } = await storeIn();
  async function* swept() {
    yield Buffer.from("slow ");
    await writeFile(join(directory, ".partial", "f".repeat(32)), "left by a crash");
    expect(await blobs.sweepPartial(0)).toBe(0);
    expect(await blobs.sweepPartial(Date.now() + 60_000)).toBe(1);
    yield Buffer.from("upload");
  }
  await blobs.put(id, swept());
  expect(await textOf(blobs, id)).toBe("slow upload");
  expect(await blobs.sweepPartial(Date.now() + 60_000)).toBe(0);
});

test("a store that was never written to is empty and has nothing to sweep", async () => {
  const blobs = createFsBlobs({ directory: join(await temporaryDirectory(), "none") });
  expect(await namesIn(blobs)).toEqual([]);
  expect(await blobs.open(id)).toBeNull();
  expect(await blobs.sweepPartial(Date.now())).toBe(0);
  await blobs.delete(id);
});

test("links are not followed, and only regular files are blobs", async () => {
  const { blobs, directory } = await storeIn();
  const outside = await temporaryDirectory();
  await writeFile(join(outside, "secret"), "secret");
  await writeFile(join(outside, blobId(3)), "secret");
  await blobs.put(id, chunks("a"));
  await symlink(join(outside, "secret"), join(directory, "00", blobId(2)));
  await mkdir(join(directory, "00", blobId(4)));
  await symlink(outside, join(directory, "ff"));
  const linked = `ff${"0".repeat(30)}`;
  await writeFile(join(outside, linked), "secret");

  expect(await blobs.open(blobId(2))).toBeNull();
  expect(await blobs.open(blobId(4))).toBeNull();
  expect(await blobs.open(linked)).toBeNull();
  await expect(blobs.put(linked, chunks("b"))).rejects.toThrow(TypeError);
  expect(await namesIn(blobs)).toEqual([id]);
});

test.each([
  "",
  "x",
  "../../etc/passwd",
  `${"a".repeat(32)}/b`,
  `${"a".repeat(32)}.`,
  "A".repeat(32),
  `${"a".repeat(32)}.a.b`,
])("the name %j is refused everywhere", async (name) => {
  const { blobs, directory } = await storeIn();
  await expect(blobs.put(name, chunks("a"))).rejects.toThrow(TypeError);
  await expect(blobs.open(name)).rejects.toThrow(TypeError);
  await expect(blobs.delete(name)).rejects.toThrow(TypeError);
  expect(await filesUnder(directory)).toEqual([]);
});

test("below the floor a blob is refused, but the store counts as ready: records may still be written", async () => {
  const directory = await temporaryDirectory();
  const crowded = createFsBlobs({ directory, floor: Number.MAX_SAFE_INTEGER });
  await expect(crowded.put(id, chunks("too much"))).rejects.toMatchObject({ code: "storage_full" });
  expect(await filesUnder(directory)).toEqual([]);
  await crowded.probe();
  const blobs = createFsBlobs({ directory, floor: 0 });
  await blobs.put(id, chunks("kept"));
  expect(await namesIn(crowded)).toEqual([id]);
  await crowded.delete(id);
  expect(await filesUnder(directory)).toEqual([]);
});

test("a blob that takes the free space down to the floor while it arrives is refused, and nothing of it stays", async () => {
  const directory = await temporaryDirectory();
  const mib = 2 ** 20;
  const disk = { free: 30 * mib };
  const played = Object.assign({ ...fs }, { statfs: () => Promise.resolve({ bavail: disk.free, bsize: 1 }) });
  async function* endless() {
    for (;;) {
      disk.free -= mib;
      yield Buffer.alloc(mib);
    }
  }
  const blobs = createBlobsOn(played, { directory, floor: 10 * mib });
  await expect(blobs.put(id, endless())).rejects.toMatchObject({ code: "storage_full" });
  expect(disk.free).toBeGreaterThan(0);
  expect(await filesUnder(directory)).toEqual([]);
});

test("a store whose directory takes no file is not ready", async () => {
  const directory = await temporaryDirectory();
  const blobs = createFsBlobs({ directory });
  await blobs.probe();
  await rm(join(directory, ".partial"), { recursive: true });
  await expect(blobs.probe()).rejects.toThrow("ENOENT");
  await blobs.probe();
});

test("bytes arrive no faster than they are written", async () => {
  const root = await temporaryDirectory();
  const state = { asked: 0, written: 0, ahead: 0 };
  const open: typeof fs.open = async (path, flags, mode) => {
    const handle = await fs.open(path, flags, mode);
    const write = handle.write.bind(handle);
    const counted = async (bytes: Uint8Array, offset: number) => {
      const result = await write(bytes, offset);
      state.written += 1;
      return result;
    };
    return flags === "wx" ? Object.assign(handle, { write: counted }) : handle;
  };
  async function* source() {
    for (; state.asked < 20; state.asked += 1) {
      state.ahead = Math.max(state.ahead, state.asked - state.written);
      yield Buffer.alloc(1000);
    }
  }
  await createBlobsOn({ ...fs, open }, { directory: root }).put(id, source());
  expect(state).toEqual({ asked: 20, written: 20, ahead: 0 });
});
