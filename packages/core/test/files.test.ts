import { createMemoryBlobs } from "@telex/blobs/memory";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { anonymous, type BlobStore, operator } from "../src/index.ts";
import type { ByteStream } from "@telex/files/blobs";
import { createKit, fileOf, type Kit } from "./kit.ts";
import { createManualClock } from "@telex/conformance/testing";

const picture = (width = 40, height = 20) =>
  sharp({ create: { width, height, channels: 3, background: { r: 255, g: 0, b: 0 } } })
    .png()
    .toBuffer();

async function textOf(stream: ByteStream): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function blobCount(blobs: BlobStore): Promise<number> {
  let count = 0;
  for await (const _ of blobs.list()) count += 1;
  return count;
}

async function started(options: Parameters<typeof createKit>[0] = {}): Promise<Kit & { blobs: BlobStore }> {
  const blobs = createMemoryBlobs();
  return { ...(await createKit({ blobs, ...options })), blobs };
}

const code = ({ telex }: Kit, storageId = "ImageToText") => telex.bucket.generateCode(anonymous, { storageId });
const uploadBy = ({ telex }: Kit, given: string, file = fileOf("bytes"), storageId = "ImageToText") =>
  telex.bucket.uploadByCode(anonymous, { storageId, code: given, file });

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("half");
  throw new Error("the client went away");
}

describe("an upload code", () => {
  it("is spent by the first upload that is stored", async () => {
    const kit = await started();
    const given = await code(kit);
    expect(await uploadBy(kit, given)).toEqual({
      file_id: "4b3a6218bb3e3a7303e8a171a60fcf92",
      name: "a.bin",
      size: 5,
      mime: "application/octet-stream",
    });
    await expect(uploadBy(kit, given)).rejects.toMatchObject({ code: "code_used" });
  });

  it("is spent by one of many simultaneous uploads, and the others leave nothing", async () => {
    const kit = await started();
    const given = await code(kit);
    const uploads = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => uploadBy(kit, given, fileOf(`${index}`))),
    );
    expect(uploads.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const upload of uploads)
      if (upload.status === "rejected") expect(upload.reason).toMatchObject({ code: "code_used" });
    expect(await blobCount(kit.blobs)).toBe(1);
  });

  it("stays usable after an upload that failed", async () => {
    const kit = await started({ limits: { fileSize: 10 } });
    const given = await code(kit);
    await expect(uploadBy(kit, given, fileOf("12345678901"))).rejects.toMatchObject({ code: "too_large" });
    await expect(uploadBy(kit, given, { name: "x", mime: "", bytes: breaking() })).rejects.toThrow(
      "the client went away",
    );
    expect(await blobCount(kit.blobs)).toBe(0);
    await expect(uploadBy(kit, given, fileOf("1234567890"))).resolves.toMatchObject({ size: 10 });
  });

  it("expires after 8 hours and works for its own storage only", async () => {
    const kit = await started();
    const given = await code(kit);
    await expect(uploadBy(kit, given, fileOf("x"), "default")).rejects.toMatchObject({
      code: "not_found",
      reason: "code_unknown",
    });
    await kit.clock.advance(8 * 3_600_000 - 1);
    const late = await code(kit);
    await expect(uploadBy(kit, given)).resolves.toMatchObject({});
    await kit.clock.advance(8 * 3_600_000);
    await expect(uploadBy(kit, late)).rejects.toMatchObject({ code: "code_expired" });
    await expect(uploadBy(kit, "0".repeat(32))).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a stored file", () => {
  it("is kept once, with its first bytes", async () => {
    const kit = await started();
    const first = await kit.telex.bucket.upload(kit.alice, { file: fileOf("same", "a.txt") });
    const second = await kit.telex.bucket.upload(kit.bob, { file: fileOf("same", "b.txt") });
    expect(second.file_id).toBe(first.file_id);
    expect(await blobCount(kit.blobs)).toBe(1);
  });

  it("is refused where another file has its MD5, and that one stays", async () => {
    const kit = await started();
    // Two blocks with one MD5 (Wang, Feng, Lai, Yu 2004).
    const block = (differing: readonly number[]) => {
      const bytes = Buffer.from(
        "d131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a085125e8f7cdc99fd91dbdf280373c5bd8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70",
        "hex",
      );
      for (const index of differing) bytes.writeUInt8(bytes.readUInt8(index) ^ 0x80, index);
      return bytes;
    };
    const twins = [block([]), block([19, 45, 59, 83, 109, 123])] as const;
    const first = await kit.telex.bucket.upload(kit.alice, { file: fileOf(twins[0]) });
    await expect(kit.telex.bucket.upload(kit.alice, { file: fileOf(twins[1]) })).rejects.toMatchObject({
      code: "file_conflict",
    });
    expect(first.file_id).toBe("79054025255fb1a26e4bc422aef54eb4");
    expect(await blobCount(kit.blobs)).toBe(1);
  });

  it("downloads as an image in its size and as a preview, and in ranges", async () => {
    const kit = await started();
    const png = await picture(400, 200);
    const { file_id } = await kit.telex.bucket.upload(kit.alice, { file: fileOf(png, "x.exe", "text/html") });
    const whole = await kit.telex.bucket.download(anonymous, { file: `${file_id}.png` });
    expect(whole).toMatchObject({ inline: true, mime: "image/png", size: png.length });
    expect(await textOf(await whole.open({ start: 1, end: 3 }))).toBe("PNG");
    const [a, b] = await Promise.all(
      [1, 2].map(() => kit.telex.bucket.download(anonymous, { file: `128_${file_id}.png` })),
    );
    expect(a?.etag).toBe(b?.etag);
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await a?.open()) ?? []) chunks.push(chunk);
    expect(await sharp(Buffer.concat(chunks)).metadata()).toMatchObject({ width: 128, height: 64 });
  });

  it.each(["x", "../../etc/passwd", "128_", "d41d8cd98f00b204e9800998ecf8427e.png", "\u202Egnp.exe"])(
    "is not found under the name %j",
    async (file) => {
      const { telex } = await started();
      await expect(telex.bucket.download(anonymous, { file })).rejects.toMatchObject({ code: "file_not_found" });
    },
  );

  it("that is no image has no address under /download/, nor a wrong ending", async () => {
    const kit = await started();
    const svg = await kit.telex.bucket.upload(kit.alice, {
      file: fileOf("<svg onload=alert(1)>", "a.svg", "image/svg+xml"),
    });
    const png = await kit.telex.bucket.upload(kit.alice, { file: fileOf(await picture()) });
    for (const file of [`${svg.file_id}.svg`, `${svg.file_id}.png`, `${svg.file_id}.`, `${png.file_id}.jpg`]) {
      await expect(kit.telex.bucket.download(anonymous, { file })).rejects.toMatchObject({ code: "file_not_found" });
    }
  });

  it("whose preview cannot be made is not found as a preview", async () => {
    const kit = await started();
    const { file_id } = await kit.telex.bucket.upload(kit.alice, { file: fileOf((await picture()).subarray(0, 50)) });
    await expect(kit.telex.bucket.download(anonymous, { file: `128_${file_id}.png` })).rejects.toMatchObject({
      code: "file_not_found",
    });
  });
});

describe("an attachment", () => {
  it.each(["", "Li4vLi4vZXRj", "%%%", "YQ==", Buffer.from("../../etc/passwd").toString("base64url")])(
    "is not found under the path %j",
    async (path) => {
      const { telex } = await started();
      const call = telex.bucket.downloadFile(anonymous, { path, where: "local", name: "x" });
      await expect(call).rejects.toMatchObject({ code: path === "" ? "invalid_request" : "file_not_found" });
    },
  );
});

describe("image to text", () => {
  const render = (kit: Kit, file_id: string, options: { col?: number; algo?: "gray" | "border" } = {}) =>
    kit.telex.images.imageText(anonymous, { file_id, ...options });

  it("renders an image that was uploaded by code, 69 characters wide unless told, and keeps the text", async () => {
    const kit = await started();
    const { file_id } = await uploadBy(kit, await code(kit), fileOf(await picture()));
    const first = await render(kit, file_id);
    expect(first.cached).toBe(false);
    expect(first.text.split("\r\n")).toHaveLength(Math.round((69 * 20) / 40 / 2) + 1);
    // Pure red: floor(0.299 * 255 * 74 / 256) is 22.
    expect(new Set(first.text)).toEqual(new Set(["V", "\r", "\n"]));
    expect(await render(kit, file_id)).toEqual({ ...first, cached: true });
    expect((await render(kit, file_id, { col: 68 })).cached).toBe(false);
    expect((await render(kit, file_id, { algo: "border" })).text.trim()).toBe("");
  });

  it("renders identical simultaneous requests a single time", async () => {
    const kit = await started();
    const { file_id } = await uploadBy(kit, await code(kit), fileOf(await picture()));
    let reads = 0;
    const open = kit.blobs.open.bind(kit.blobs);
    kit.blobs.open = (...call) => {
      reads += 1;
      return open(...call);
    };
    const texts = await Promise.all(Array.from({ length: 20 }, () => render(kit, file_id)));
    expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
    expect(texts.filter(({ cached }) => !cached)).toHaveLength(1);
    expect(reads).toBe(1);
  });

  it("keeps 300 texts, the least recently used out first", async () => {
    const kit = await started({ limits: { imageCacheEntries: 3 } });
    const { file_id } = await uploadBy(kit, await code(kit), fileOf(await picture()));
    for (const col of [1, 2, 3]) await render(kit, file_id, { col });
    expect((await render(kit, file_id, { col: 1 })).cached).toBe(true);
    await render(kit, file_id, { col: 4 });
    expect((await render(kit, file_id, { col: 1 })).cached).toBe(true);
    expect((await render(kit, file_id, { col: 2 })).cached).toBe(false);
  });

  it("says what is wrong with a file that it cannot render", async () => {
    const kit = await started();
    const text = await uploadBy(kit, await code(kit), fileOf("no image"));
    const broken = await uploadBy(kit, await code(kit), fileOf((await picture()).subarray(0, 60)));
    const tall = await uploadBy(kit, await code(kit), fileOf(await picture(1, 4001)));
    await expect(render(kit, "0".repeat(32))).rejects.toMatchObject({ code: "file_not_found" });
    await expect(render(kit, text.file_id)).rejects.toMatchObject({ code: "unreadable_image" });
    await expect(render(kit, broken.file_id)).rejects.toMatchObject({ code: "unreadable_image" });
    await expect(render(kit, tall.file_id, { col: 1 })).rejects.toMatchObject({ reason: "image_too_many_lines" });
    await expect(render(kit, tall.file_id, { col: 0 })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(render(kit, tall.file_id, { col: 201 })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a family of operations", () => {
  it("needs a token where the operator says so", async () => {
    const kit = await started({ access: { images: "token" } });
    const call = { file_id: "0".repeat(32) };
    await expect(kit.telex.images.imageText(anonymous, call)).rejects.toMatchObject({ code: "invalid_token" });
    await expect(kit.telex.images.imageText(kit.alice, call)).rejects.toMatchObject({ code: "file_not_found" });
    await expect(code(kit)).resolves.toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("users", () => {
  it("are told about themselves", async () => {
    const { telex, alice, carol } = await started();
    expect(await telex.users.userInfo(alice, {})).toEqual({
      ext: "10001",
      phone: null,
      nickname: "Alice",
      avatar: "/api/avatar/get/personal?id=1",
    });
    expect(await telex.users.userInfo(carol, {})).toMatchObject({ ext: "" });
    expect(await telex.users.userId(alice, {})).toEqual({ id: 1 });
  });

  it("may be asked about with a token of the scope profile, which opens nothing else", async () => {
    const { telex } = await started();
    const { token } = await telex.operator.tokens.issue(operator, { userId: 1, scopes: ["profile"] });
    const caller = await telex.authenticate(token);
    await expect(telex.users.userId(caller, {})).resolves.toEqual({ id: 1 });
    await expect(telex.ai.quota(caller, {})).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(telex.users.userId(anonymous, {})).rejects.toMatchObject({ code: "invalid_token" });
  });

  it("have an external ID of their own", async () => {
    const { telex } = await started();
    await expect(telex.operator.users.add(operator, { nickname: "x", ext: "10001" })).rejects.toMatchObject({
      issues: [{ path: "ext", problem: "ext_taken" }],
    });
    await expect(telex.operator.users.amend(operator, { id: 3, ext: "10003" })).resolves.toMatchObject({
      ext: "10003",
    });
  });

  it("are managed by the operator alone", async () => {
    const { telex, alice } = await started();
    await expect(telex.operator.users.list(alice, {})).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(telex.operator.tokens.issue(alice, { userId: 2, scopes: ["chat"] })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
  });
});

describe("a quota", () => {
  it("is the default until the operator assigns one, and begins again with its period", async () => {
    const { telex, alice, storage, clock } = await started();
    const lastReset = Date.parse("2026-11-20T00:00:00Z");
    expect(await telex.ai.quota(alice, {})).toEqual({
      messageCount: 0,
      tokenCount: 0,
      allocationUnit: "count",
      allocationMax: 100,
      allocationPeriod: "daily",
      lastReset,
      nextReset: lastReset + 86_400_000,
    });
    const reservation = {
      reservationId: "r",
      userId: 1,
      day: "2026-11-20",
      replies: 1,
      started: 1,
      tokens: 0,
      expiresAt: clock.now() + 1,
    };
    const days = { from: "2026-11-20", to: "2026-11-21" };
    await storage.ai.reserve({ reservation, unit: "count", max: 100, maxStarted: null, days, now: clock.now() });
    await storage.ai.settle({ reservationId: "r", used: { replies: 1, tokens: 42, started: 1 } });
    expect(await telex.ai.quota(alice, {})).toMatchObject({ messageCount: 1, tokenCount: 42 });
    await telex.operator.quota.assign(operator, { userId: 1, unit: "token", max: 5, period: "monthly" });
    expect(await telex.ai.quota(alice, {})).toMatchObject({
      messageCount: 1,
      tokenCount: 42,
      allocationUnit: "token",
      allocationMax: 5,
    });
    await clock.advance(86_400_000);
    expect(await telex.ai.quota(alice, {})).toMatchObject({ messageCount: 1 });
    await clock.advance(11 * 86_400_000);
    expect(await telex.ai.quota(alice, {})).toMatchObject({
      messageCount: 0,
      lastReset: Date.parse("2026-12-01T00:00:00Z"),
    });
  });
});

describe("conversations", () => {
  it("are listed for their owner, the last used first, in pages", async () => {
    const { telex, alice, bob, storage } = await started();
    for (let index = 0; index < 25; index += 1) {
      await storage.ai.appendConversation({
        userId: 1,
        title: `t${index}`,
        status: 0,
        defaultModel: "echo",
        lastMessage: 1000 * (index % 5),
        totalToken: index,
      });
    }
    const first = await telex.ai.conversations(alice, {});
    expect(first).toMatchObject({ page: 1, pageSize: 20, total: 25 });
    expect(first.list).toHaveLength(20);
    const rest = await telex.ai.conversations(alice, { page: 2 });
    const all = [...first.list, ...rest.list];
    expect(new Set(all.map(({ id }) => id)).size).toBe(25);
    expect(all[0]).toMatchObject({ status: 0, lastMessage: "1970-01-01T00:00:04.000+00:00" });
    expect(await telex.ai.conversations(bob, {})).toEqual({ page: 1, pageSize: 20, total: 0, list: [] });
  });
});

describe("a sweep", () => {
  const day = 86_400_000;
  const sweep = ({ telex }: Kit) => telex.operator.files.sweep(operator, {});
  const has = ({ storage }: Kit, md5: string) => storage.bucket.findFile(md5).then((file) => file !== null);
  /** An instance whose blobs are dated by the test's clock. */
  const dated = async () => {
    const clock = createManualClock();
    const blobs = createMemoryBlobs({ clock });
    return { ...(await createKit({ blobs, clock })), blobs };
  };

  it("deletes files that no message used after a day, with their previews, and the bytes come back", async () => {
    const kit = await dated();
    const unused = await kit.telex.bucket.upload(kit.alice, { file: fileOf(await picture(400, 400)) });
    await kit.telex.bucket.download(anonymous, { file: `128_${unused.file_id}.png` });
    const used = await kit.telex.bucket.upload(kit.alice, { file: fileOf("kept") });
    await kit.telex.messages.send(kit.alice, {
      groupId: kit.room,
      groupType: 1,
      message: [{ type: "file", data: { file_id: used.file_id } }],
    });
    expect(await blobCount(kit.blobs)).toBe(3);
    await kit.clock.advance(day - 1);
    expect(await has(kit, unused.file_id)).toBe(true);
    await kit.clock.advance(2);
    await sweep(kit);
    expect([await has(kit, unused.file_id), await has(kit, used.file_id)]).toEqual([false, true]);
    expect(await blobCount(kit.blobs)).toBe(1);
  });

  it("deletes images 90 days after the last message that used them, and keeps avatars", async () => {
    const kit = await dated();
    const image = await kit.telex.bucket.upload(kit.alice, { file: fileOf(await picture()) });
    const avatar = await kit.telex.bucket.upload(kit.alice, { file: fileOf(await picture(50, 50)) });
    await kit.telex.operator.users.amend(operator, { id: 1, avatar: avatar.file_id });
    await kit.telex.messages.send(kit.alice, {
      groupId: kit.room,
      groupType: 1,
      message: [{ type: "image", data: { file_id: image.file_id } }],
    });
    await kit.clock.advance(90 * day);
    await sweep(kit);
    expect(await has(kit, image.file_id)).toBe(true);
    await kit.clock.advance(1);
    await sweep(kit);
    expect([await has(kit, image.file_id), await has(kit, avatar.file_id)]).toEqual([false, true]);
  });

  it("deletes blobs that no record names once they are old enough, and expired codes", async () => {
    const kit = await dated();
    await code(kit);
    await kit.blobs.put("0".repeat(32), fileOf("orphan").bytes);
    expect(await sweep(kit)).toEqual({ files: 0, codes: 0, orphans: 0, bytes: 0 });
    // The instance sweeps when its clock advances.
    await kit.clock.advance(kit.telex.limits.orphanAge + 1);
    expect(await blobCount(kit.blobs)).toBe(0);
    await kit.clock.advance(8 * 3_600_000);
    expect(await kit.storage.bucket.takeExpiredCodes(kit.clock.now())).toBe(0);
  });
});

describe("a quarantine", () => {
  it("takes a file out of service for good and keeps its bytes aside", async () => {
    const kit = await started();
    const png = await picture();
    const { file_id } = await kit.telex.bucket.upload(kit.alice, { file: fileOf(png) });
    const { blob } = await kit.telex.operator.files.quarantine(operator, { file_id });
    await expect(kit.telex.bucket.download(anonymous, { file: `${file_id}.png` })).rejects.toMatchObject({
      code: "file_not_found",
    });
    await expect(kit.telex.bucket.upload(kit.alice, { file: fileOf(png) })).rejects.toMatchObject({
      code: "file_conflict",
    });
    expect((await kit.blobs.open(blob)) === null).toBe(false);
    await kit.telex.operator.files.sweep(operator, {});
    expect(await blobCount(kit.blobs)).toBe(1);
    await expect(kit.telex.operator.files.quarantine(operator, { file_id })).rejects.toMatchObject({
      code: "file_not_found",
    });
  });
});
