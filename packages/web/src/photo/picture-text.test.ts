import type { Pixels } from "@telex/image-text";
import { describe, expect, test } from "vitest";
import { countCharacters } from "../base/count.ts";
import { pictureStyles, pictureText, widestOf } from "./picture-text.ts";
import { pictureIn } from "./picture.ts";

/** Black in the left half, white in the right. */
function halves(width: number, height: number): Pixels {
  const data = new Uint8Array(3 * width * height);
  for (let at = 0; at < data.length; at += 1) data[at] = Math.floor(at / 3) % width < width / 2 ? 0 : 255;
  return { data, width, height };
}

test.each([
  { width: 100, height: 100, widest: 62 },
  { width: 400, height: 100, widest: 124 },
  { width: 4000, height: 10, widest: 200 },
  { width: 10, height: 1000, widest: 5 },
  { width: 1, height: 512, widest: 2 },
])("a picture of $width x $height pixels fits at most $widest characters wide", ({ width, height, widest }) => {
  expect(widestOf({ width, height })).toBe(widest);
});

describe.each(pictureStyles)("%s", (style) => {
  test("produces lines of equal width that are detected as a picture, and fit into one text", () => {
    const pixels = halves(90, 70);
    const columns = widestOf(pixels);
    const text = pictureText(pixels, style, columns);
    expect(pictureIn(text)?.columns).toBe(columns);
    expect(countCharacters(text)).toBeLessThanOrEqual(2000);
    expect(text).not.toContain("\r");
  });
});

test("ink is where the picture is dark, and image-to-text follows the interface", () => {
  expect(pictureText(halves(8, 8), "ramp", 4)).toBe("@@  \n@@  ");
  expect(pictureText(halves(8, 8), "gray", 4)).toBe("  ??\n  ??");
});
