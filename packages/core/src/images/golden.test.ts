import { readdir, readFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createSharpEngine, renderText } from "../sharp.ts";
import type { Algo } from "./engine.ts";

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
});
