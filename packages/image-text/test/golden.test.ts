import { readdir, readFile } from "node:fs/promises";
import { fc } from "test-support/property";
import { afterAll, describe, expect, it } from "vitest";
import type { Algo } from "@telex/files/images";
import { TelexError } from "@telex/ground/errors";
import { createSharpEngine, renderText } from "../src/sharp.ts";

const folder = new URL("./golden/", import.meta.url);
const read = async (name: string): Promise<Uint8Array> => await readFile(new URL(name, folder));
const texts = (await readdir(folder)).flatMap((name) => {
  const [, picture = "", col, suffix] = /^(.+)\.(\d+)\.(gray|border)\.txt$/.exec(name) ?? [];
  const algo: Algo = suffix === "border" ? "border" : "gray";
  return picture === "" ? [] : [{ name, picture, col: Number(col), algo }];
});

describe("the golden pictures", () => {
  const engine = createSharpEngine();
  afterAll(async () => await engine.close());

  it("are of every format", () => {
    const formats = new Set(texts.map(({ picture }) => picture.split(".").at(-1)));
    expect(formats).toEqual(new Set(["jpg", "png", "gif", "webp", "avif", "tiff"]));
  });

  it.each(texts)("give $name", async ({ name, picture, col, algo }) => {
    const text = Buffer.from(await read(name)).toString("latin1");
    expect(await engine.text(await read(picture), { col, algo })).toBe(text);
    expect(await renderText(await read(picture), { col, algo })).toBe(text);
  });

  it("give a text or are refused as unreadable, whatever happened to their bytes", async () => {
    const pictures = await Promise.all([...new Set(texts.map(({ picture }) => picture))].map(read));
    const damage = fc.array(fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...pictures), damage, fc.nat(), async (picture, changes, cut) => {
        const broken = Uint8Array.from(picture);
        // Half of the damage goes where the header is.
        changes.forEach(({ at, byte }, i) => (broken[at % (i % 2 === 0 ? 200 : broken.length)] = byte));
        const bytes = cut % 3 === 0 ? broken.subarray(0, cut % broken.length) : broken;
        const outcome = await renderText(bytes, { col: 20, algo: "gray" }).then(
          () => "text",
          (error: unknown) => (TelexError.is(error) ? error.code : error),
        );
        expect(["text", "unreadable_image"]).toContain(outcome);
      }),
      { numRuns: 300 },
    );
  });
});
