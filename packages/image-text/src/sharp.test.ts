import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { picture, scene } from "../test/scene.ts";
import { createSharpEngine, renderText } from "./sharp.ts";

const golden = async (name: string): Promise<Buffer> =>
  await readFile(new URL(`../test/golden/${name}`, import.meta.url));

/** A plain picture of any size, quick to make. */
const plain = async (width: number, height: number): Promise<Buffer> =>
  await sharp({ create: { width, height, channels: 3, background: "#808080" } })
    .png()
    .toBuffer();

const gray = { col: 69, algo: "gray" } as const;
const engine = createSharpEngine();
afterAll(async () => await engine.close());

describe("what a header tells", () => {
  it.each([
    ["baseline.jpg", "image/jpeg", "jpg", 320, 240],
    ["cmyk.jpg", "image/jpeg", "jpg", 120, 90],
    ["palette.png", "image/png", "png", 60, 45],
    ["animated.gif", "image/gif", "gif", 60, 45],
    ["animated.webp", "image/webp", "webp", 60, 45],
    ["still.avif", "image/avif", "avif", 120, 90],
    ["still.tiff", "image/tiff", "tiff", 60, 45],
  ])("of %s is %s with its size", async (name, mime, ext, width, height) => {
    const format = mime.replace("image/", "");
    expect(await engine.identify(await golden(name))).toEqual({ format, mime, ext, width, height });
  });

  it.each([3, 5, 6])("is the size of the upright picture with orientation %i", async (orientation) => {
    const info = await engine.identify(await golden(`orientation-${orientation}.jpg`));
    expect(info).toMatchObject(orientation === 3 ? { width: 120, height: 90 } : { width: 90, height: 120 });
  });

  it("is found where the rest of the file is missing", async () => {
    const bytes = await golden("baseline.jpg");
    expect(await engine.identify(bytes.subarray(0, 700))).toMatchObject({ width: 320, height: 240 });
  });

  it("counts the pixels of pictures that are too large to decode", async () => {
    expect(await engine.identify(await plain(10_000, 5001))).toMatchObject({ width: 10_000, height: 5001 });
  });

  it.each([
    ["nothing", ""],
    ["text", "just words"],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ["SVG that begins like a GIF", 'GIF89a<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ["PDF", "%PDF-1.7\n1 0 obj"],
    ["a PNG that ends after its signature", "\x89PNG\r\n\x1a\n"],
    ["a JPEG that is nothing but noise", "\xff\xd8\xff\x01\x02\x03\x04\x05"],
  ])("of %s is none", async (_, content) => {
    const bytes = Buffer.from(content, "latin1");
    expect(await engine.identify(bytes)).toBeNull();
    await expect(engine.text(bytes, gray)).rejects.toMatchObject({ code: "unreadable_image" });
    await expect(engine.jpeg(bytes, {})).rejects.toMatchObject({ code: "unreadable_image" });
    await expect(engine.thumbnail(bytes, 128)).rejects.toMatchObject({ code: "unreadable_image" });
  });
});

describe("the text of a picture", () => {
  it("is the same with every orientation that makes the same picture", async () => {
    const upright = await scene(40, 30);
    // The pixels that a camera stores for each way to hold it.
    const stored = [
      { orientation: 1, turn: (image: Sharp) => image },
      { orientation: 2, turn: (image: Sharp) => image.flop() },
      { orientation: 3, turn: (image: Sharp) => image.rotate(180) },
      { orientation: 4, turn: (image: Sharp) => image.flip() },
      { orientation: 6, turn: (image: Sharp) => image.rotate(270) },
      { orientation: 8, turn: (image: Sharp) => image.rotate(90) },
    ];
    const texts = stored.map(async ({ orientation, turn }) => {
      const turned = await turn(picture(upright)).png().toBuffer();
      return await engine.text(await sharp(turned).withMetadata({ orientation }).png().toBuffer(), gray);
    });
    expect(new Set(await Promise.all(texts)).size).toBe(1);
  });

  it("takes the high byte of sixteen bits, with a profile and without", async () => {
    const deep = await engine.text(await golden("sixteen-bits.png"), gray);
    expect(deep).toBe(
      await engine.text(
        await picture(await scene(60, 45))
          .png()
          .toBuffer(),
        gray,
      ),
    );
    expect(await engine.text(await golden("sixteen-bits-profile.png"), gray)).not.toBe(deep);
  });

  it("is black where the picture is transparent", async () => {
    const clear = picture({ data: new Uint8Array(16).fill(255).fill(0, 3, 4), width: 4, height: 1, channels: 4 });
    expect(await engine.text(await clear.png().toBuffer(), { col: 4, algo: "gray" })).toBe(" ???\r\n");
  });

  it("is the same from a large picture, from a loaded one and in this thread", async () => {
    const large = await picture(await scene(1200, 900))
      .jpeg()
      .toBuffer();
    const text = await renderText(large, gray);
    expect(await engine.text(large, gray)).toBe(text);
    expect(await engine.text(async () => large, gray)).toBe(text);
    expect(await engine.text(large, gray)).toBe(text);
  });

  it.each(["baseline.jpg", "truecolour.png", "animated.gif", "lossy.webp", "still.avif", "still.tiff"])(
    "is refused where most of %s is missing",
    async (name) => {
      const bytes = await golden(name);
      const some = bytes.subarray(0, bytes.length / 3);
      await expect(engine.text(some, gray)).rejects.toMatchObject({ code: "unreadable_image" });
    },
  );

  it("is refused where half of a large picture is missing", async () => {
    const bytes = await picture(await scene(1200, 900))
      .jpeg()
      .toBuffer();
    const half = bytes.subarray(0, bytes.length / 2);
    await expect(engine.text(half, gray)).rejects.toMatchObject({ code: "unreadable_image", reason: undefined });
  });

  it("is given at 50 megapixels and refused above", async () => {
    const lines = (await engine.text(await plain(10_000, 5000), gray)).split("\r\n");
    expect(lines).toHaveLength(17 + 1);
    const refused = { code: "unreadable_image", reason: "image_too_many_pixels" };
    await expect(engine.text(await plain(10_000, 5001), gray)).rejects.toMatchObject(refused);
    await expect(engine.jpeg(await plain(10_000, 5001), {})).rejects.toMatchObject(refused);
  });

  it("is given at 2,000 lines and refused above", async () => {
    const tall = await plain(10, 400);
    expect((await engine.text(tall, { col: 100, algo: "gray" })).match(/\r\n/g)).toHaveLength(2000);
    const refused = { code: "unreadable_image", reason: "image_too_many_lines" };
    await expect(engine.text(tall, { col: 101, algo: "gray" })).rejects.toMatchObject(refused);
    await expect(renderText(tall, { col: 101, algo: "gray" })).rejects.toMatchObject(refused);
  });

  it("is refused where decoding takes too long", async () => {
    const strict = createSharpEngine({ imageTime: 1 });
    const bytes = await plain(2000, 2000);
    await expect(strict.text(bytes, gray)).rejects.toMatchObject({ code: "unreadable_image" });
    await strict.close();
  });
});

describe("jobs", () => {
  it("are refused as busy when too many wait, and load nothing before their turn", async () => {
    const narrow = createSharpEngine({ imageJobs: 1, imageQueue: 1 });
    const bytes = await golden("still.tiff");
    const gate = Promise.withResolvers<Uint8Array>();
    let loaded = 0;
    const source = async (): Promise<Uint8Array> => {
      loaded++;
      return await gate.promise;
    };
    const running = narrow.text(source, gray);
    const waiting = narrow.thumbnail(source, 128);
    await expect(narrow.thumbnail(source, 128)).rejects.toMatchObject({ code: "busy" });
    const otherKind = narrow.jpeg(source, {});
    expect(loaded).toBe(1);
    gate.resolve(bytes);
    await Promise.all([running, waiting, otherKind]);
    expect(loaded).toBe(3);
    await narrow.close();
  });

  it("give their place back when their source fails", async () => {
    const narrow = createSharpEngine({ imageJobs: 1, imageQueue: 0 });
    const lost = new Error("the disk is gone");
    await expect(narrow.text(async () => await Promise.reject(lost), gray)).rejects.toBe(lost);
    await expect(narrow.text(await golden("still.tiff"), gray)).resolves.toBeTypeOf("string");
    await narrow.close();
  });

  it("are refused when the engine was closed", async () => {
    const closed = createSharpEngine();
    await closed.close();
    await expect(closed.text(await golden("still.tiff"), gray)).rejects.toMatchObject({ code: "shutting_down" });
  });
});

describe("a JPEG of a picture", () => {
  it("has the size asked for on its longer side, in proportion, also above its own", async () => {
    const bytes = await golden("orientation-6.jpg");
    const sizes = [30, 240].map(async (size) => await engine.identify(await engine.jpeg(bytes, { size })));
    expect(await Promise.all(sizes)).toMatchObject([
      { format: "jpeg", width: 23, height: 30 },
      { format: "jpeg", width: 180, height: 240 },
    ]);
  });

  it("keeps the picture's size where none is asked for", async () => {
    const jpeg = await engine.jpeg(await golden("orientation-6.jpg"), {});
    expect(await engine.identify(jpeg)).toMatchObject({ width: 90, height: 120 });
    expect((await sharp(jpeg).metadata()).orientation).toBeUndefined();
  });

  it("is white where the picture is transparent", async () => {
    const clear = picture({ data: new Uint8Array(8 * 8 * 4), width: 8, height: 8, channels: 4 });
    const pixels = await sharp(await engine.jpeg(await clear.png().toBuffer(), {}))
      .raw()
      .toBuffer();
    expect([...pixels.subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it("shows pixels that were drawn here", async () => {
    const jpeg = await engine.encode(new Uint8Array(16 * 8 * 3).fill(128), 16, 8);
    expect(await engine.identify(jpeg)).toMatchObject({ format: "jpeg", width: 16, height: 8 });
  });
});

describe("a thumbnail", () => {
  it("fits into the size asked for, and is a JPEG", async () => {
    const { bytes, mime } = await engine.thumbnail(await golden("baseline.jpg"), 128);
    expect(mime).toBe("image/jpeg");
    expect(await engine.identify(bytes)).toMatchObject({ format: "jpeg", width: 128, height: 96 });
  });

  it("keeps transparency, as a PNG", async () => {
    const { bytes, mime } = await engine.thumbnail(await golden("transparent.png"), 64);
    expect(mime).toBe("image/png");
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 64, height: 48, hasAlpha: true });
  });

  it("is never larger than the picture, and at least one pixel thick", async () => {
    const small = await engine.thumbnail(await golden("tall.png"), 128);
    expect(await engine.identify(small.bytes)).toMatchObject({ width: 2, height: 12 });
    const thin = await engine.thumbnail(await plain(4000, 1), 128);
    expect(await engine.identify(thin.bytes)).toMatchObject({ width: 128, height: 1 });
  });
});
