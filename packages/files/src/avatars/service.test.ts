import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { defaultLimits } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { anonymous } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import { silentLogger } from "@telex/ground/log";
import { type AvatarsDeps, createAvatarsService } from "./service.ts";
import { type AvatarSource, type ExternalAvatar, noAvatarSource } from "./source.ts";

const engine = createSharpEngine();
afterAll(() => engine.close());

const hour = 3_600_000;
const minute = 60_000;

const picture = (width: number, height: number, background = "#ff0000"): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

/** Avatars over these neighbours; `at` is the time. */
function setUp(changed: Partial<AvatarsDeps> = {}) {
  const state = { at: 1_000_000 };
  const service = createAvatarsService({
    findAvatar: async () => null,
    extOf: async (userId) => userId,
    readFile: async () => null,
    images: engine,
    source: noAvatarSource,
    clock: { now: () => state.at, after: () => () => {} },
    limits: defaultLimits,
    log: silentLogger,
    ...changed,
  });
  const ask = (name: keyof typeof service) => (id: string, size?: number) => service[name](anonymous, { id, size }, {});
  return {
    state,
    personal: ask("personal"),
    group: ask("group"),
    extPersonal: ask("extPersonal"),
    extGroup: ask("extGroup"),
  };
}

/** A source that answers `answer.image`, fails where that is an error, and counts. */
function sourceOf(image: Buffer | Error | null) {
  const answer = { image };
  const asked: ExternalAvatar[] = [];
  const source: AvatarSource = {
    async fetch(avatar) {
      asked.push(avatar);
      if (answer.image instanceof Error) throw answer.image;
      return answer.image;
    },
  };
  return { answer, asked, source };
}

const sizeOf = async (jpeg: Uint8Array) => {
  const { format, width, height } = await sharp(jpeg).metadata();
  return [format, width, height];
};

test("a stored avatar comes as JPEG, its longer side scaled to the size that is asked for", async () => {
  const files = new Map([["md5", await picture(100, 50)]]);
  const { personal } = setUp({
    findAvatar: async (kind, id) => (kind === "personal" && id === 5 ? "md5" : null),
    readFile: async (md5) => files.get(md5) ?? null,
  });
  expect(await sizeOf((await personal("5")).jpeg)).toEqual(["jpeg", 100, 50]);
  expect(await sizeOf((await personal("5", 40)).jpeg)).toEqual(["jpeg", 40, 20]);
  expect(await sizeOf((await personal("5", 512)).jpeg)).toEqual(["jpeg", 512, 256]);
  expect(await sizeOf((await personal("5", 1)).jpeg)).toEqual(["jpeg", 1, 1]);
});

test("a stored avatar is read and scaled once", async () => {
  const image = await picture(10, 10);
  let reads = 0;
  const { personal } = setUp({
    findAvatar: async () => "md5",
    readFile: async () => {
      reads += 1;
      return image;
    },
  });
  const first = await Promise.all([personal("5", 64), personal("5", 64), personal("5", 64)]);
  expect(await personal("5", 64)).toEqual(first[0]);
  expect(reads).toBe(1);
});

test("the tag tells pictures apart, and nothing else", async () => {
  const images = new Map([
    ["red", await picture(10, 10, "#ff0000")],
    ["blue", await picture(10, 10, "#0000ff")],
  ]);
  const state = { md5: "red" };
  const { personal } = setUp({ findAvatar: async () => state.md5, readFile: async (md5) => images.get(md5) ?? null });
  const red = await personal("5");
  expect(red.etag).toMatch(/^[\w-]{43}$/);
  expect((await personal("6")).etag).toBe(red.etag);
  state.md5 = "blue";
  expect((await personal("5")).etag).not.toBe(red.etag);
  state.md5 = "red";
  expect((await personal("5")).etag).toBe(red.etag);
});

test("who has no avatar, and who does not exist, gets one that is generated alike", async () => {
  const known = setUp({ findAvatar: async () => null });
  const { personal, group, extPersonal, extGroup } = setUp();
  expect(await personal("5")).toEqual(await known.personal("5"));
  expect(await sizeOf((await personal("5")).jpeg)).toEqual(["jpeg", 256, 256]);
  expect(await sizeOf((await personal("5", 512)).jpeg)).toEqual(["jpeg", 512, 512]);
  const others = await Promise.all(
    ["6", "05", "-1", "9007199254740993", "../etc", "名字", "x".repeat(64)].map((id) => personal(id)),
  );
  const all = [...others, await personal("5"), await group("5"), await extPersonal("5"), await extGroup("5")];
  expect(new Set(all.map(({ etag }) => etag)).size).toBe(all.length);
});

test("only what can be an id is looked for", async () => {
  const seen: unknown[] = [];
  const { personal, group } = setUp({
    findAvatar: async (kind, id) => {
      seen.push([kind, id]);
      return null;
    },
  });
  for (const id of ["1", "9007199254740991", "0", "01", "1e3", "1.0", "-1", " 1", "9007199254740992", "abc"])
    await personal(id);
  await group("7");
  expect(seen).toEqual([
    ["personal", 1],
    ["personal", 9007199254740991],
    ["group", 7],
  ]);
});

test("a stored avatar that is gone or no picture is generated, and looked at again after a minute", async () => {
  const state: { file: Buffer | null } = { file: null };
  let reads = 0;
  const set = setUp({
    findAvatar: async () => "md5",
    readFile: async () => {
      reads += 1;
      return state.file;
    },
  });
  const generated = await setUp().personal("5");
  expect(await set.personal("5")).toEqual(generated);
  expect(await set.personal("5")).toEqual(generated);
  expect(reads).toBe(1);
  set.state.at += minute;
  state.file = Buffer.from("<svg/>");
  expect(await set.personal("5")).toEqual(generated);
  set.state.at += minute;
  state.file = await picture(30, 30);
  expect(await sizeOf((await set.personal("5")).jpeg)).toEqual(["jpeg", 30, 30]);
  expect(reads).toBe(3);
});

test("a storage that is down is told, and nothing is kept of it", async () => {
  const down = new TelexError("storage_unavailable");
  const state = { up: false };
  const { personal } = setUp({
    findAvatar: async () => (state.up ? null : Promise.reject(down)),
  });
  await expect(personal("5")).rejects.toBe(down);
  state.up = true;
  expect((await personal("5")).jpeg.byteLength).toBeGreaterThan(0);

  const files = setUp({ findAvatar: async () => "md5", readFile: () => Promise.reject(down) });
  await expect(files.personal("5")).rejects.toBe(down);
});

test("an external avatar is fetched once for all who ask simultaneously, and kept for twelve hours", async () => {
  const { source, asked } = sourceOf(await picture(60, 30));
  const { extPersonal, extGroup, state } = setUp({ source });
  const answers = await Promise.all([extPersonal("a", 20), extPersonal("a", 20), extPersonal("a", 20)]);
  expect(await sizeOf(answers[0].jpeg)).toEqual(["jpeg", 20, 10]);
  expect(asked).toEqual([{ kind: "personal", id: "a", size: 64 }]);
  state.at += 12 * hour - 1;
  await extPersonal("a", 20);
  expect(asked).toHaveLength(1);
  await extPersonal("a");
  await extGroup("a", 20);
  expect(asked.slice(1)).toEqual([
    { kind: "personal", id: "a", size: 512 },
    { kind: "group", id: "a", size: 64 },
  ]);
  state.at += 1;
  await extPersonal("a", 20);
  expect(asked).toHaveLength(4);
});

test("an external avatar that cannot be fetched again is served as it was, and asked for again after a minute", async () => {
  const { source, asked, answer } = sourceOf(await picture(60, 30, "#ff0000"));
  const { extPersonal, state } = setUp({ source });
  const old = await extPersonal("a");
  for (const failure of [new Error("gone"), Buffer.from("<html>"), new TelexError("busy")]) {
    state.at += 12 * hour;
    answer.image = failure;
    expect(await extPersonal("a")).toEqual(old);
  }
  expect(asked).toHaveLength(4);
  state.at += minute - 1;
  await extPersonal("a");
  expect(asked).toHaveLength(4);
  state.at += 1;
  answer.image = await picture(60, 30, "#0000ff");
  expect(await extPersonal("a")).not.toEqual(old);
  expect(asked).toHaveLength(5);
});

test("an external avatar is served as it was for seven days while the source is down, and then generated", async () => {
  const { source, asked, answer } = sourceOf(await picture(60, 30));
  const { extPersonal, state } = setUp({ source });
  const old = await extPersonal("a", 40);
  answer.image = new Error("down");
  for (let day = 0; day < 13; day += 1) {
    state.at += 12 * hour;
    expect(await extPersonal("a", 40)).toEqual(old);
  }
  state.at += 12 * hour;
  expect(await extPersonal("a", 40)).toEqual(await setUp().extPersonal("a", 40));
  expect(asked).toHaveLength(15);
});

test("a source is asked for four sizes of an id at most, and the others are scaled from these", async () => {
  const { source, asked } = sourceOf(await picture(600, 600));
  const { extPersonal } = setUp({ source });
  for (let size = 1; size <= 512; size += 7) {
    expect(await sizeOf((await extPersonal("a", size)).jpeg)).toEqual(["jpeg", size, size]);
  }
  await extPersonal("a", 512);
  await extPersonal("a");
  expect(asked.map(({ size }) => size)).toEqual([64, 128, 256, 512]);
  const one = sourceOf(await picture(60, 30));
  const single = setUp({ source: { ...one.source, sizes: [512] } });
  for (const size of [1, 65, 512]) await single.extPersonal("a", size);
  expect(one.asked.map(({ size }) => size)).toEqual([512]);
});

test.each(["..", ".", "a..b", "..%2f..%2fetc", "a/b", "a%2fb", "a?b", "a#b", "a b", "名字", "a\u0000", "a@b", "a:b"])(
  "the id %j never reaches the source, and gets a generated avatar",
  async (id) => {
    const { source, asked } = sourceOf(await picture(60, 30));
    const { extPersonal, extGroup } = setUp({ source });
    expect(await extPersonal(id, 32)).toEqual(await setUp().extPersonal(id, 32));
    await extGroup(id);
    expect(asked).toEqual([]);
    for (const plain of ["a", "A-1", "user_1.x"]) await extPersonal(plain);
    expect(asked.map((avatar) => avatar.id)).toEqual(["a", "A-1", "user_1.x"]);
  },
);

test.each([
  ["fails", new Error("no answer")],
  ["brings a page", Buffer.from("<!doctype html><title>not found</title>")],
  ["brings SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ["brings half a picture", null],
  ["brings nothing", Buffer.alloc(0)],
])("an external avatar that never came is generated for a minute when the source %s", async (_what, image) => {
  const half = (await picture(50, 50)).subarray(0, 60);
  const { source, asked, answer } = sourceOf(image ?? half);
  const { extGroup, state } = setUp({ source });
  const generated = await setUp().extGroup("a", 32);
  expect(await extGroup("a", 32)).toEqual(generated);
  state.at += minute - 1;
  expect(await extGroup("a", 32)).toEqual(generated);
  expect(asked).toHaveLength(1);
  state.at += 1;
  answer.image = await picture(50, 50);
  expect(await extGroup("a", 32)).not.toEqual(generated);
});

test("who has no avatar in the external network is not asked for again for twelve hours", async () => {
  const { source, asked } = sourceOf(null);
  const { extPersonal, state } = setUp({ source });
  expect(await extPersonal("a")).toEqual(await setUp().extPersonal("a"));
  state.at += 12 * hour - 1;
  await extPersonal("a");
  expect(asked).toHaveLength(1);
});

test("more simultaneous fetches than the limit are refused, and fetched when there is room", async () => {
  const gate = Promise.withResolvers<null>();
  const source: AvatarSource = { fetch: () => gate.promise };
  const { extPersonal } = setUp({ source, limits: { ...defaultLimits, avatarFetches: 2 } });
  const waiting = [extPersonal("a"), extPersonal("b"), extPersonal("b")];
  await expect(extPersonal("c")).rejects.toMatchObject({ code: "busy", retryAfter: 1 });
  gate.resolve(null);
  await Promise.all(waiting);
  await extPersonal("c");
});

test("a busy engine is told, and nothing is kept of it", async () => {
  const state = { busy: true };
  const images: AvatarsDeps["images"] = {
    jpeg: (read, options) => engine.jpeg(read, options),
    encode: async (rgb, width, height) => {
      if (state.busy) throw new TelexError("busy");
      return await engine.encode(rgb, width, height);
    },
  };
  const { personal } = setUp({ images });
  await expect(personal("5")).rejects.toMatchObject({ code: "busy" });
  state.busy = false;
  await personal("5");
});

test("what is kept is bounded by avatars and by bytes, the least recently used out first", async () => {
  const { source, asked } = sourceOf(await picture(60, 60));
  const bytes = (await setUp({ source }).extPersonal("a")).jpeg.byteLength;
  for (const bound of [{ avatarCacheEntries: 2 }, { avatarCacheBytes: 3 * bytes - 1 }]) {
    asked.length = 0;
    const { extPersonal } = setUp({ source, limits: { ...defaultLimits, ...bound } });
    for (const id of ["a", "b", "a", "c", "a", "b"]) await extPersonal(id);
    expect(asked.map(({ id }) => id)).toEqual(["a", "b", "c", "b"]);
  }
});

test("failures are reported without the address of the source", async () => {
  const lines: unknown[] = [];
  const log = { ...silentLogger, warn: (event: string, fields?: object) => void lines.push([event, fields]) };
  const { extPersonal } = setUp({ source: sourceOf(new Error("The source of avatars answers 503.")).source, log });
  await extPersonal("a");
  expect(lines).toEqual([["avatar.failed", { kind: "ext-personal", reason: "The source of avatars answers 503." }]]);
});
