import { createHash } from "node:crypto";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { sampleRecords } from "@telex/conformance";
import { type BlobStore, DamagedBlobError, recordKinds, type RecordStore, type Storage } from "@telex/core/storage";
import { digestRecords } from "./digest.ts";
import type { TransferLog, TransferState } from "./log.ts";
import { transfer } from "./transfer.ts";
import type { TransferOptions, TransferProgress } from "./options.ts";

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const contentOf = (md5: string): string => `The bytes of ${md5}. `.repeat(100);
const outOfService = `${createHash("md5").update("bad").digest("hex")}.quarantine`;

/** A storage with records of every kind, and the bytes of its files. */
async function createSource(): Promise<{ readonly storage: Storage; readonly blobs: BlobStore }> {
  const storage = createMemoryStorage();
  const blobs = createMemoryBlobs();
  for (const kind of recordKinds) {
    if (kind !== "files") await storage.records.put(kind, sampleRecords[kind]);
    else {
      const files = sampleRecords.files.map((file) => {
        const content = contentOf(file.md5);
        return { ...file, sha256: sha256(content), size: content.length };
      });
      await storage.records.put("files", files);
      for (const { md5, blobId } of files) await blobs.put(blobId, bytesOf(contentOf(md5)));
    }
  }
  await blobs.put(outOfService, bytesOf("bad"));
  await blobs.put(`${sampleRecords.files[0]?.blobId ?? ""}.128`, bytesOf("a preview"));
  return { storage, blobs };
}

function createLog(): TransferLog & { state: TransferState | null } {
  return {
    state: null,
    async load() {
      return this.state;
    },
    async save(state) {
      this.state = state;
    },
  };
}

async function namesIn(blobs: BlobStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { blobId } of blobs.list()) names.push(blobId);
  return names.toSorted();
}

/** Blobs of which one cannot be read to its end. */
function breakingAt(
  blobs: BlobStore,
  broken: string | undefined,
  end: (blobId: string) => Promise<never>,
): Pick<BlobStore, "open" | "list"> {
  const read = (blobId: string) =>
    (async function* () {
      yield Buffer.from("The");
      await end(blobId);
    })();
  return {
    list: () => blobs.list(),
    async open(blobId, range) {
      const stream = await blobs.open(blobId, range);
      return stream === null || blobId !== broken ? stream : read(blobId);
    },
  };
}

async function createSides(): Promise<
  TransferOptions & {
    readonly from: Storage;
    readonly to: Storage;
    readonly fromBlobs: BlobStore;
    readonly log: ReturnType<typeof createLog>;
  }
> {
  const { storage, blobs } = await createSource();
  const log = createLog();
  const resume = { log, source: "here" };
  return { from: storage, to: createMemoryStorage(), fromBlobs: blobs, toBlobs: createMemoryBlobs(), resume, log };
}

async function expectSame({ from, to }: Pick<TransferOptions, "from" | "to">): Promise<void> {
  for (const kind of recordKinds) {
    expect({ kind, ...(await digestRecords(to.records, kind)) }).toEqual({
      kind,
      ...(await digestRecords(from.records, kind)),
    });
  }
}

describe("a transfer", () => {
  it("moves every record and file, and what is out of service, but no preview", async () => {
    const sides = await createSides();
    const report = await transfer(sides);
    await expectSame(sides);
    expect(await namesIn(sides.toBlobs)).toEqual(
      (await namesIn(sides.fromBlobs)).filter((name) => !name.endsWith(".128")),
    );
    expect(report).toMatchObject({
      resumed: false,
      files: { count: 4, damaged: [] },
      records: { users: { count: 3 } },
    });
    expect(report.records.messages).toEqual(await digestRecords(sides.from.records, "messages"));
  });

  it("tells how far it is, and never that more is done than there is", async () => {
    const sides = await createSides();
    const told: TransferProgress[] = [];
    await transfer({ ...sides, progress: (progress) => told.push(progress) });
    expect(new Set(told.map(({ phase }) => phase))).toEqual(new Set(["records", "files", "check"]));
    expect(told.filter(({ done, total }) => done > total)).toEqual([]);
    expect(told.at(-1)).toMatchObject({ phase: "check" });
    expect(told.at(-1)?.done).toBe(told.at(-1)?.total);
  });

  it("goes on wherever it was broken off, and comes to the same", async () => {
    const { from, fromBlobs } = await createSides();
    for (let failAt = 1; ; failAt += 1) {
      const log = createLog();
      const sides = { from, fromBlobs, to: createMemoryStorage(), toBlobs: createMemoryBlobs() };
      const resume = { log, source: "here" };
      const isThrough = await transfer({ ...sides, ...failing(sides, failAt), resume }).then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ message: "broken off" });
          return false;
        },
      );
      await transfer({ ...sides, resume });
      await expectSame(sides);
      if (isThrough) break;
      expect(failAt).toBeLessThan(100);
    }
  });

  it("refuses a target that holds something, be it a file or a past", async () => {
    const sides = await createSides();
    const used = createMemoryStorage();
    await used.records.put("users", sampleRecords.users);
    await expect(transfer({ ...sides, to: used })).rejects.toThrow("The target holds users already: use an empty one.");
    const past = createMemoryStorage();
    await past.records.put("counters", [{ name: "message", value: 1 }]);
    await expect(transfer({ ...sides, to: past })).rejects.toMatchObject({ fault: "target_not_empty" });
    await sides.toBlobs.put(outOfService, bytesOf("bad"));
    await expect(transfer(sides)).rejects.toThrow(/^The target holds files/);
    expect(sides.log.state).toBeNull();
  });

  it("refuses a target into which another transfer has begun", async () => {
    const sides = await createSides();
    sides.log.state = { source: "there", kind: "users", after: null };
    await expect(transfer(sides)).rejects.toMatchObject({ fault: "other_transfer" });
  });

  it("finds a source that was changed while it was broken off", async () => {
    const sides = await createSides();
    await transfer(sides);
    await sides.from.users.amendUser(1, { nickname: "Changed" });
    await expect(transfer(sides)).rejects.toThrow(
      /^After the transfer the users of source and target differ \(3 and 3 /,
    );
  });

  it("finds a file whose bytes are gone or changed, and leaves it out where it is told to", async () => {
    const sides = await createSides();
    const [first, second] = sampleRecords.files;
    await sides.fromBlobs.delete(first?.blobId ?? "");
    await sides.fromBlobs.put(second?.blobId ?? "", bytesOf("something else"));
    await expect(transfer(sides)).rejects.toThrow(`The bytes of file ${first?.md5} are missing in the source.`);
    const report = await transfer({ ...sides, skipDamaged: true });
    expect(report.files).toMatchObject({
      count: 2,
      damaged: [
        { md5: first?.md5, fault: "missing" },
        { md5: second?.md5, fault: "damaged" },
      ],
    });
    expect(await namesIn(sides.toBlobs)).toHaveLength(2);
    await expectSame(sides);
  });

  it("takes a file that is deleted while it is read for missing, and no other one that cannot be read", async () => {
    const { fromBlobs, ...sides } = await createSides();
    const [file] = sampleRecords.files;
    let isGone = true;
    const breaking = breakingAt(fromBlobs, file?.blobId, async (blobId) => {
      if (isGone) await fromBlobs.delete(blobId);
      throw new Error("There is no chunk 1.");
    });
    isGone = false;
    await expect(transfer({ ...sides, fromBlobs: breaking, skipDamaged: true })).rejects.toThrow("no chunk 1");
    isGone = true;
    const { files } = await transfer({ ...sides, fromBlobs: breaking, skipDamaged: true });
    expect(files).toMatchObject({ count: 3, damaged: [{ md5: file?.md5, fault: "missing" }] });
  });

  it("takes a file for damaged if its store says that it has lost bytes of it", async () => {
    const { fromBlobs, toBlobs, ...sides } = await createSides();
    const [file] = sampleRecords.files;
    const lose = () => Promise.reject(new DamagedBlobError("There is no chunk 1."));
    const damaged = { ...sides, toBlobs, fromBlobs: breakingAt(fromBlobs, file?.blobId, lose) };
    await expect(transfer(damaged)).rejects.toMatchObject({ fault: "damaged_file" });
    const { files } = await transfer({ ...damaged, skipDamaged: true });
    expect(files).toMatchObject({ count: 3, damaged: [{ md5: file?.md5, fault: "damaged" }] });

    const whole = { ...sides, fromBlobs };
    const losing = { ...toBlobs, ...breakingAt(toBlobs, file?.blobId, lose) };
    await expect(transfer({ ...whole, toBlobs: losing })).rejects.toMatchObject({ fault: "damaged_file" });
    await transfer({ ...whole, toBlobs });
  });

  it("reads the target back: a file that is not what it was is taken away and copied again", async () => {
    const sides = await createSides();
    await transfer(sides);
    const [file] = sampleRecords.files;
    const content = contentOf(file?.md5 ?? "");
    await sides.toBlobs.put(file?.blobId ?? "", bytesOf(content.replace("T", "t")));
    await expect(transfer(sides)).rejects.toMatchObject({ fault: "damaged_file" });
    await transfer(sides);
    expect(await namesIn(sides.toBlobs)).toContain(file?.blobId);
  });
});

/** Sides whose k-th write is done, and then fails: as if the process had ended there. */
function failing({ to, toBlobs }: { readonly to: Storage; readonly toBlobs: BlobStore }, failAt: number) {
  let writes = 0;
  const broken = async (write: Promise<void>): Promise<void> => {
    await write;
    writes += 1;
    if (writes === failAt) throw new Error("broken off");
  };
  return {
    to: {
      records: {
        list: (kind, page) => to.records.list(kind, page),
        count: (kind) => to.records.count(kind),
        put: (kind, records) => broken(to.records.put(kind, records)),
      } satisfies RecordStore,
    },
    toBlobs: { ...toBlobs, put: (blobId, bytes) => broken(toBlobs.put(blobId, bytes)) } satisfies BlobStore,
  };
}
