import { createMemoryBlobs } from "@telex/blobs/memory";
import { describe, expect, it } from "vitest";
import { anonymous, type Caller, operator, type TelexOptions } from "../src/index.ts";
import { bytesOf, createKit, fileOf, type Kit } from "./kit.ts";

const kib = 1024;
const mib = 1024 * kib;
const minute = 60_000;
const hour = 60 * minute;

type Limits = NonNullable<TelexOptions["limits"]>;

const started = (limits: Limits): Promise<Kit> => createKit({ limits, blobs: createMemoryBlobs() });

const upload = ({ telex }: Kit, caller: Caller, content: string | Uint8Array) =>
  telex.bucket.upload(caller, { file: fileOf(content) });

async function uploadByCode({ telex }: Kit, content: string | Uint8Array) {
  const code = await telex.bucket.generateCode(anonymous, { storageId: "default" });
  return telex.bucket.uploadByCode(anonymous, { storageId: "default", code, file: fileOf(content) });
}

const exists = async ({ storage }: Kit, { file_id }: { readonly file_id: string }): Promise<boolean> =>
  (await storage.bucket.findFile(file_id)) !== null;

const usedUp = { code: "quota_exceeded", reason: "uploads_used_up" };
const bytes = (size: number, fill = 0): Uint8Array => new Uint8Array(size).fill(fill);

describe("the share of a user", () => {
  it("takes uploads up to its last byte, and others have their own", async () => {
    const kit = await started({ userUploads: 1000 });
    await upload(kit, kit.alice, bytes(600));
    await expect(upload(kit, kit.alice, bytes(401))).rejects.toMatchObject(usedUp);
    await upload(kit, kit.alice, bytes(400));
    await expect(upload(kit, kit.alice, "x")).rejects.toMatchObject({ ...usedUp, retryAfter: 89_070 });
    await upload(kit, kit.bob, bytes(1000));
    await uploadByCode(kit, "x");
  });

  it("is free again after a day", async () => {
    const kit = await started({ userUploads: 1000 });
    await upload(kit, kit.alice, bytes(1000));
    await kit.clock.advance(23 * hour);
    await expect(upload(kit, kit.alice, "x")).rejects.toMatchObject(usedUp);
    await kit.clock.advance(2 * hour);
    await upload(kit, kit.alice, bytes(1000, 1));
  });

  it("ends an upload that crosses it while it arrives, and keeps nothing of it", async () => {
    const blobs = createMemoryBlobs();
    const kit = await createKit({ limits: { userUploads: 3 * mib }, blobs });
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 1;
        yield bytes(mib / 2);
      }
    }
    const file = { name: "endless", mime: "", bytes: endless() };
    await expect(kit.telex.bucket.upload(kit.alice, { file })).rejects.toMatchObject(usedUp);
    expect(sent).toBe(7);
    for await (const { blobId } of blobs.list()) expect.fail(`${blobId} is left`);
    await upload(kit, kit.alice, bytes(3 * mib));
  });

  it("gets back what a failed upload had reserved", async () => {
    const kit = await started({ userUploads: 1000, fileSize: 500 });
    await expect(upload(kit, kit.alice, bytes(501))).rejects.toMatchObject({ code: "too_large" });
    const broken = (async function* () {
      yield* bytesOf(bytes(400));
      throw new Error("the client went away");
    })();
    const file = { name: "broken", mime: "", bytes: broken };
    await expect(kit.telex.bucket.upload(kit.alice, { file })).rejects.toThrow("went away");
    await upload(kit, kit.alice, bytes(500));
    await upload(kit, kit.alice, bytes(500, 1));
  });

  it("cannot be passed by uploads at the same time", async () => {
    const kit = await started({ userUploads: 4 * mib });
    const uploads = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => upload(kit, kit.alice, bytes(mib, index))),
    );
    const stored = uploads.filter(({ status }) => status === "fulfilled").length;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThanOrEqual(4);
  });
});

describe("the share of uploads by code", () => {
  it("is one for all, and free again when their files are gone", async () => {
    const kit = await started({ codeUploads: 1000 });
    const first = await uploadByCode(kit, bytes(1000));
    await expect(uploadByCode(kit, "x")).rejects.toMatchObject(usedUp);
    await upload(kit, kit.alice, "x");
    await kit.clock.advance(hour);
    await expect(uploadByCode(kit, "x")).rejects.toMatchObject(usedUp);
    expect(await exists(kit, first)).toBe(true);
    await kit.clock.advance(20 * minute);
    expect(await exists(kit, first)).toBe(false);
    await uploadByCode(kit, bytes(1000, 1));
  });
});

describe("a file that no message uses", () => {
  it("lives an hour when it came by code, and a day when a user uploaded it", async () => {
    const kit = await started({});
    const byCode = await uploadByCode(kit, "by code");
    const byUser = await upload(kit, kit.alice, "by a user");
    await kit.clock.advance(hour + 1);
    await kit.telex.operator.files.sweep(operator, {});
    expect([await exists(kit, byCode), await exists(kit, byUser)]).toEqual([false, true]);
    await kit.clock.advance(23 * hour);
    await kit.telex.operator.files.sweep(operator, {});
    expect(await exists(kit, byUser)).toBe(false);
  });

  it("lives as long as the longest of its uploads says, in any order", async () => {
    const kit = await started({});
    await upload(kit, kit.alice, "user first");
    const first = await uploadByCode(kit, "user first");
    await uploadByCode(kit, "code first");
    const second = await upload(kit, kit.alice, "code first");
    await kit.clock.advance(23 * hour);
    await kit.telex.operator.files.sweep(operator, {});
    expect([await exists(kit, first), await exists(kit, second)]).toEqual([true, true]);
  });
});
