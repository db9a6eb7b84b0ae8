import { spawnSync } from "node:child_process";
import { deflateSync } from "node:zlib";
import { fc } from "test-support/property";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { picture, scene } from "../../test/scene.ts";
import { filteredRows, pngChunk, writePng } from "../../test/write-png.ts";
import { drawPlainPng } from "../engine/draw.ts";
import { createKernel } from "../kernel/kernel.ts";
import { openPicture } from "../picture.ts";
import { textOf } from "../text/text.ts";
import { findPlainPng } from "./plain-png.ts";
import { createRows } from "./rows.ts";

const options = { col: 69, algo: "gray" } as const;

/** Larger than what sharp decodes faster. */
const large = await scene(700, 500);
const rows = filteredRows(large, [0, 1, 2, 3, 4, 4, 3]);
const file = (chunks: readonly Buffer[] = [], data: Uint8Array = rows): Buffer =>
  writePng({ width: 700, height: 500, rows: data, chunks });
const text = textOf(large, options);

/** The file with other data, in one piece. */
const withData = (data: Buffer): Buffer => {
  const bytes = file();
  return Buffer.concat([bytes.subarray(0, 33), pngChunk("IDAT", data), bytes.subarray(-12)]);
};
const noise = Buffer.alloc(700_000, 1);
/** The first bytes of what zlib writes, and 100,000 of its blocks without bytes. */
const zlibHeader = Buffer.of(0x78, 0x9c);
const nothing = Buffer.alloc(500_000, Buffer.of(0, 0, 0, 255, 255));

/** The file with something between its header, or its first kibibyte of data, and what follows. */
const parted = (at: "header" | "data", more: Buffer): Buffer => {
  const bytes = file();
  const end = at === "header" ? 33 : 33 + 1012;
  return Buffer.concat([bytes.subarray(0, end), more, bytes.subarray(end)]);
};

async function drawn(bytes: Uint8Array): Promise<string | null> {
  const png = findPlainPng(bytes);
  return png === null ? null : await drawPlainPng(png, options);
}

/** The unfiltered rows, from filtered ones that come in pieces. */
function unfilter(filtered: Uint8Array, size: { width: number; height: number }, piece: number): Buffer {
  const kernel = createKernel([200, 900]);
  const [from = 0, to = 0] = kernel.areas;
  const found: Buffer[] = [];
  const into = createRows(kernel, { from, input: 200, to, most: 2 }, size, (some) => found.push(Buffer.from(some)));
  for (let at = 0; at < filtered.length; at += piece) into.add(filtered.subarray(at, at + piece));
  expect(into.end()).toBe(true);
  return Buffer.concat(found);
}

describe("the rows of a PNG", () => {
  it("are what was filtered, with any filters and in any pieces", () => {
    const filters = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 9 });
    const pictures = fc
      .record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 9 }) })
      .chain(({ width, height }) => {
        const length = 3 * width * height;
        return fc.uint8Array({ minLength: length, maxLength: length }).map((data) => ({ data, width, height }));
      });
    fc.assert(
      fc.property(pictures, filters, fc.integer({ min: 1, max: 300 }), (one, kinds, piece) => {
        expect(unfilter(filteredRows(one, kinds), one, piece).equals(one.data)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a plain PNG", () => {
  it("becomes the same text as through sharp", async () => {
    expect(await drawn(file())).toBe(text);
    const { data, info } = await sharp(file()).raw().toBuffer({ resolveWithObject: true });
    expect(textOf({ data, width: info.width, height: info.height }, options)).toBe(text);
  });

  it.each([
    ["pHYs", Buffer.from([0, 0, 10, 0, 0, 0, 20, 0, 1])],
    ["sRGB", Buffer.of(0)],
    ["gAMA", Buffer.from([0, 1, 0x86, 0xa0])],
    ["tEXt", Buffer.from("Software\0test", "latin1")],
    ["tIME", Buffer.from([7, 234, 1, 1, 0, 0, 0])],
  ])("may have a chunk %s, which changes nothing for sharp either", async (type, data) => {
    const bytes = file([pngChunk(type, data)]);
    expect(await drawn(bytes)).toBe(text);
    expect((await sharp(bytes).toColourspace("srgb").raw().toBuffer()).equals(large.data)).toBe(true);
  });

  it.each([
    [
      "in pieces of no bytes",
      () => parted("data", Buffer.concat([pngChunk("IDAT", Buffer.of()), pngChunk("IDAT", Buffer.of())])),
    ],
    ["followed by some bytes", () => withData(Buffer.concat([deflateSync(rows), Buffer.alloc(10)]))],
    ["followed by more bytes than are read in one step", () => withData(Buffer.concat([deflateSync(rows), noise]))],
    [
      "whose rows come after much that says nothing",
      () => withData(Buffer.concat([zlibHeader, nothing, deflateSync(rows).subarray(2)])),
    ],
  ])("may have data %s, as for sharp", async (_, make) => {
    const bytes = make();
    expect(await drawn(bytes)).toBe(text);
    expect((await sharp(bytes, { failOn: "error" }).raw().toBuffer()).equals(large.data)).toBe(true);
  });

  it("is drawn without sharp", () => {
    const script = `
      import { openPicture } from ${JSON.stringify(new URL("../picture.ts", import.meta.url))};
      import { buffer } from "node:stream/consumers";
      const opened = await openPicture(await buffer(process.stdin));
      const text = await opened.text({ col: 69, algo: "gray" });
      const libraries = process.report.getReport().sharedObjects;
      console.log(JSON.stringify({ text, sharp: libraries.some((name) => name.includes("vips")) }));`;
    const flags = ["--conditions=telex-source", "--input-type=module", "-e", script];
    const { stdout } = spawnSync(process.execPath, flags, { input: file(), encoding: "utf8" });
    expect(JSON.parse(stdout)).toEqual({ text, sharp: false });
  });
});

describe("sharp decides", () => {
  it.each([
    ["grey", async () => await picture(large).toColourspace("b-w").png().toBuffer()],
    ["a palette", async () => await picture(large).png({ palette: true }).toBuffer()],
    ["transparency", async () => await picture(large).ensureAlpha(0.5).png().toBuffer()],
    ["interlaced rows", async () => await picture(large).png({ progressive: true }).toBuffer()],
    ["a profile", async () => await picture(large).withIccProfile("p3").png().toBuffer()],
    ["an orientation", async () => await picture(large).withMetadata({ orientation: 6 }).png().toBuffer()],
    ["a transparent colour", async () => file([pngChunk("tRNS", Buffer.alloc(6))])],
    ["sixteen bits", async () => await picture(large).toColourspace("rgb16").png().toBuffer()],
    ["a damaged chunk", async () => file().fill(7, 20_000, 20_001)],
    ["data in two places", async () => parted("data", pngChunk("tEXt", Buffer.from("a\0b")))],
    ["very many chunks", async () => parted("header", Buffer.alloc(12 * 65_536, pngChunk("tEXt", Buffer.of())))],
    [
      "few pixels",
      async () =>
        await picture(await scene(512, 512))
          .png()
          .toBuffer(),
    ],
    ["something behind the end", async () => Buffer.concat([file(), Buffer.of(0)])],
    ["no end", async () => file().subarray(0, -12)],
    ["JPEG", async () => await picture(large).jpeg().toBuffer()],
  ])("about a picture with %s", async (_, make) => {
    expect(findPlainPng(await make())).toBeNull();
  });

  it.each([
    ["rows that are missing", rows.subarray(0, -1)],
    ["a row too many", Buffer.concat([rows, rows.subarray(0, 2101)])],
    ["a filter that does not exist", Buffer.concat([rows.subarray(0, 2101), Buffer.of(5), rows.subarray(2102)])],
  ])("about a picture with %s, and says the same as before", async (_, data) => {
    const bytes = file([], data);
    expect(findPlainPng(bytes)).not.toBeNull();
    expect(await drawn(bytes)).toBeNull();
    const bySharp = await sharp(bytes, { failOn: "error" })
      .raw()
      .toBuffer()
      .then(
        (pixels) => textOf({ data: pixels, width: 700, height: 500 }, options),
        () => "unreadable",
      );
    const found = await (await openPicture(bytes)).text(options).catch(() => "unreadable");
    expect(found).toBe(bySharp);
  });
});
