import { describe, expect, it } from "vitest";
import { picture, scene } from "../../test/scene.ts";
import { openPicture } from "../picture.ts";
import type { Pixels } from "../text/area.ts";
import { styleOf, type StyleOptions } from "./styles.ts";

/** A picture whose pixels are tones of gray, row by row. */
const tones = (...rows: number[][]): Pixels => ({
  data: Uint8Array.from(rows.flat().flatMap((tone) => [tone, tone, tone])),
  width: rows[0]?.length ?? 0,
  height: rows.length,
});

const black = [0, 0, 0, 0];
const white = [255, 255, 255, 255];
const halves = tones([0, 0, 255, 255], [0, 0, 255, 255], [0, 0, 255, 255], [0, 0, 255, 255]);
const styles: StyleOptions["style"][] = ["ramp", "blocks", "braille"];

const drawn = async (bytes: Uint8Array, options: StyleOptions): Promise<string> =>
  styleOf(await (await openPicture(bytes)).first(), options);

describe("the style", () => {
  it.each([
    ["ramp", "  @@\n  @@\n"],
    ["blocks", "  ██\n  ██\n"],
    ["braille", "⠀⠀⣿⣿\n⠀⠀⣿⣿\n"],
  ] as const)("%s puts ink on what is bright", (style, text) => {
    expect(styleOf(halves, { col: 4, style })).toBe(text);
  });

  it.each([
    ["ramp", "@@  \n@@  \n"],
    ["blocks", "██  \n██  \n"],
    ["braille", "⣿⣿⠀⠀\n⣿⣿⠀⠀\n"],
  ] as const)("%s puts ink on what is dark when it is inverted", (style, text) => {
    expect(styleOf(halves, { col: 4, style, invert: true })).toBe(text);
  });

  it("ramp takes other characters, from thin to thick, and counts code points", () => {
    expect(styleOf(halves, { col: 4, style: "ramp", ramp: "░▒🬋" })).toBe("░░🬋🬋\n░░🬋🬋\n");
  });

  it("blocks draws edges within a cell with quarters", () => {
    expect(styleOf(tones(white, black, black, black), { col: 2, style: "blocks" })).toBe("▀▀\n");
  });

  it("blocks shows a plain tone by shades that have it on average", () => {
    const plain = tones(...Array.from({ length: 16 }, () => Array.from({ length: 16 }, () => 96)));
    const text = styleOf(plain, { col: 16, style: "blocks" }).replaceAll("\n", "");
    const ink: Record<string, number> = { " ": 0, "░": 0.25, "▒": 0.5, "▓": 0.75, "█": 1 };
    const mean = Array.from(text).reduce((sum, shade) => sum + (ink[shade] ?? Number.NaN), 0) / text.length;
    expect(mean).toBeCloseTo(96 / 255, 1);
  });

  it("braille shows a plain tone by as many dots as it has light", () => {
    const plain = tones(...Array.from({ length: 16 }, () => Array.from({ length: 16 }, () => 64)));
    const text = styleOf(plain, { col: 16, style: "braille" }).replaceAll("\n", "");
    const dots = Array.from(text).reduce(
      (sum, cell) => sum + ((cell.codePointAt(0) ?? 0) - 0x2800).toString(2).replaceAll("0", "").length,
      0,
    );
    expect(dots / (text.length * 8)).toBeCloseTo(64 / 255, 1);
  });

  it.each(styles)("%s stretches a pale picture to the whole range", (style) => {
    const pale = tones([100, 100, 140, 140], [100, 100, 140, 140], [100, 100, 140, 140], [100, 100, 140, 140]);
    expect(styleOf(pale, { col: 4, style })).toBe(styleOf(halves, { col: 4, style }));
  });

  it.each(styles)("%s is as many lines of as many characters as the plain text", async (style) => {
    const photo = await picture(await scene(90, 70))
      .png()
      .toBuffer();
    const lines = (await drawn(photo, { col: 33, style })).split("\n");
    expect(lines).toHaveLength(13 + 1);
    expect(new Set(lines.slice(0, -1).map((line) => Array.from(line).length))).toEqual(new Set([33]));
  });
});

describe("colour", () => {
  const redBlue: Pixels = { data: Uint8Array.of(255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 255), width: 2, height: 2 };

  it("is told when it changes, and taken back at the end of each line", () => {
    expect(styleOf(tones([255, 255], [255, 255]), { col: 2, style: "ramp", color: true })).toBe(
      "\x1b[38;2;255;255;255m@@\x1b[0m\n",
    );
    expect(styleOf(redBlue, { col: 2, style: "blocks", color: true })).toBe(
      "\x1b[48;2;255;0;0m \x1b[48;2;0;0;255m \x1b[0m\n",
    );
  });

  it("gives a cell with an edge two colours", () => {
    expect(styleOf(redBlue, { col: 1, style: "blocks", color: true })).toBe(
      "\x1b[38;2;0;0;255;48;2;255;0;0m▐\x1b[0m\n",
    );
  });

  it("is brighter where the ink is thin, and the picture's own on light paper", () => {
    const dim: Pixels = { data: Uint8Array.of(64, 32, 0), width: 1, height: 1 };
    expect(styleOf(dim, { col: 1, style: "braille", color: true, invert: true })).toContain("38;2;64;32;0m");
    expect(styleOf(dim, { col: 1, style: "ramp", ramp: "#", color: true })).toContain("38;2;128;64;0m");
  });

  it.each(styles)("of %s leaves the characters in their number", async (style) => {
    const photo = await picture(await scene(90, 70))
      .png()
      .toBuffer();
    const painted = await drawn(photo, { col: 33, style, color: true });
    // oxlint-disable-next-line no-control-regex -- the escape character is what is looked for
    const lines = painted.replaceAll(/\x1b\[[\d;]*m/g, "").split("\n");
    expect(new Set(lines.slice(0, -1).map((line) => Array.from(line).length))).toEqual(new Set([33]));
  });
});
