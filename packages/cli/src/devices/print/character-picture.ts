import type { Pixels } from "@telex/image-text";

/** The characters of a picture from dark to bright, as the interface defines them. */
const levels = " ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-,%()+/:='?";
const levelOf = new Map(Array.from(levels, (character, level) => [character, (level * 255) / (levels.length - 1)]));

/** Fewer or shorter lines may be words that happen to have the same length. */
const fewest = { lines: 4, columns: 16 } as const;

/** A picture that came as a text, in shades of gray. */
interface CharacterPicture {
  readonly columns: number;
  readonly rows: number;
  /** One shade for each character: 0 is black, 255 white. */
  readonly gray: Uint8Array;
}

/** The picture in a text, as rooms send pictures to printers: lines of one length, with only characters of a picture. Null for words. */
export function pictureIn(text: string): CharacterPicture | null {
  const lines = text.replace(/\n$/, "").split("\n");
  const columns = lines[0]?.length ?? 0;
  if (lines.length < fewest.lines || columns < fewest.columns) return null;
  if (lines.some((line) => line.length !== columns)) return null;
  const shades = Array.from(lines.join(""), (character) => levelOf.get(character));
  const visible = shades.filter((shade) => shade !== undefined);
  return visible.length === shades.length ? { columns, rows: lines.length, gray: Uint8Array.from(visible) } : null;
}

/** Dots of the widest character. */
const widestCell = 12;

/** The picture in dots, at most as wide as the paper; null if it has more columns than the paper has dots. A character is twice as tall as wide. */
export function dotsOf({ columns, rows, gray }: CharacterPicture, dots: number) {
  const cell = Math.min(widestCell, Math.floor(dots / columns));
  if (cell === 0) return null;
  const [width, height] = [columns * cell, rows * cell * 2];
  const shades = new Uint8Array(width * height);
  for (let at = 0; at < shades.length; at += 1) {
    const [column, row] = [Math.floor((at % width) / cell), Math.floor(at / width / cell / 2)];
    shades[at] = gray[row * columns + column] ?? 0;
  }
  return { width, height, gray: shades };
}

/** The picture in square pixels. */
function pixelsOf({ columns, rows, gray }: CharacterPicture): Pixels {
  const row = (at: number): number[] =>
    Array.from(gray.subarray(at * columns, (at + 1) * columns)).flatMap((shade) => [shade, shade, shade]);
  const data = Array.from({ length: rows }, (_, at) => row(at)).flatMap((pixels) => [...pixels, ...pixels]);
  return { data: Uint8Array.from(data), width: columns, height: rows * 2 };
}

/** The picture in characters that are dark where it is dark, at most `columns` wide. */
export async function inkOf(picture: CharacterPicture, columns: number): Promise<string> {
  const { styleOf } = await import("@telex/image-text");
  const col = Math.min(columns, picture.columns);
  return styleOf(pixelsOf(picture), { style: "ramp", invert: true, col });
}
