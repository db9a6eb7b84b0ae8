import { describe, expect, it } from "vitest";
import { sniffImage } from "./sniff.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("the first bytes of a file", () => {
  it.each([
    ["\xff\xd8\xff\xe0", "image/jpeg"],
    ["\x89PNG\r\n\x1a\n", "image/png"],
    ["GIF89a", "image/gif"],
    ["GIF87a", "image/gif"],
    ["RIFF\x24\0\0\0WEBPVP8 ", "image/webp"],
    ["\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", "image/avif"],
    ["\0\0\0\x1cftypmif1\0\0\0\0miafavifMA1B", "image/avif"],
    ["\0\0\0\x18ftypavis\0\0\0\0msf1miaf", "image/avif"],
    ["II*\0\x08\0\0\0", "image/tiff"],
    ["MM\0*\0\0\0\x08", "image/tiff"],
    ["II+\0\x08\0\0\0", "image/tiff"],
  ])("%j are those of %s", (head, mime) => {
    expect(sniffImage(bytes(head))?.mime).toBe(mime);
  });

  it.each([
    ["nothing", ""],
    ["text", "hello"],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["PDF", "%PDF-1.7"],
    ["BMP", "BM\x36\0\0\0"],
    ["sound in a RIFF file", "RIFF\x24\0\0\0WAVEfmt "],
    ["HEIC", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
    ["a film", "\0\0\0\x18ftypisom\0\0\0\0isomavc1"],
    ["a brand behind its box", "\0\0\0\x14ftypisom\0\0\0\0isomavif"],
    ["ImageMagick's own format", "id=ImageMagick"],
  ])("of %s are of no image", (_, head) => {
    expect(sniffImage(bytes(head))).toBeNull();
  });

  it("are looked at if the file is part of a larger buffer", () => {
    expect(sniffImage(bytes("xxxGIF89a").subarray(3))?.ext).toBe("gif");
  });
});
