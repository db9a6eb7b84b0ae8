import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { writePng } from "../test/write-png.ts";
import { openPicture } from "./picture.ts";

const refused = { code: "unreadable_image", reason: "image_too_many_lines", params: { max: 2000 } };

const black = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#000" }, limitInputPixels: false });

describe("the text of an open picture that has too many lines is refused", () => {
  it.each([
    ["a PNG that is read without sharp", () => writePng({ width: 2, height: 20_000_000, rows: Buffer.of() })],
    ["a picture that sharp reads", () => black(1, 16_000).gif().toBuffer()],
    [
      "an SVG",
      () => Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1000"></svg>')),
    ],
  ])("of %s", async (_, make) => {
    const opened = await openPicture(await make(), { svg: true });
    await expect(opened.text({ col: 200, algo: "gray" })).rejects.toMatchObject(refused);
  });

  it("by the limit it was opened with", async () => {
    const limits = { imagePixels: 100, imageLines: 2, imageTime: 60_000 };
    const opened = await openPicture(await black(2, 8).png().toBuffer(), { limits });
    await expect(opened.text({ col: 2, algo: "gray" })).rejects.toMatchObject({ ...refused, params: { max: 2 } });
    expect(await opened.text({ col: 1, algo: "gray" })).toMatch(/^.\r\n.\r\n$/);
  });
});
