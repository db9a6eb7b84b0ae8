import ReceiptPrinterEncoder from "@point-of-sale/receipt-printer-encoder";
import { type Line, wrapText } from "../text/wrap.ts";
import { wideBytes } from "../text/characters.ts";
import { linksOf } from "./links.ts";
import { type Paper, papers } from "./paper.ts";
import { pixelsOf, type Draw, type Picture } from "./picture.ts";

/** A text for paper, with its title, picture and other fields. */
export interface Receipt {
  readonly content: string;
  readonly title?: string;
  readonly sender?: string;
  /** The text to print, such as `2026-11-28 14:05`. */
  readonly time?: string;
  /** Printed below the text, at most as wide as the paper: more is cut off. */
  readonly picture?: Picture;
  /** Paper may have the text already. */
  readonly isAgain?: boolean;
}

/** Options of {@link encodeReceipt}. */
export interface EncodeOptions {
  /** Default: 58 mm. */
  readonly paper?: Paper;
  /** False for a printer without a cutter. Default true. */
  readonly cut?: boolean;
  /** False for no QR codes of links. Default true. */
  readonly codes?: boolean;
  /** Draws lines with characters that the printer lacks. Without it, such a character is printed as `?`. */
  readonly draw?: Draw;
  /** True for a printer without a Chinese font: lines with Chinese are drawn as well. Default false. */
  readonly drawChinese?: boolean;
}

type Encoder = ReceiptPrinterEncoder;

/** Dots of a drawn line. */
const lineHeight = 32;
/** Empty lines before the cut: the cutter is above the print head. */
const feedBeforeCut = 4;

const textOf = (line: Line): string => line.map(({ text }) => text).join("");

/** FS & turns the Chinese characters on, and FS . turns them off. */
const wide = (text: string): Uint8Array => Uint8Array.of(0x1c, 0x26, ...wideBytes(text), 0x1c, 0x2e);

/** Prints a line in runs of one kind. */
function printLine(encoder: Encoder, line: Line): void {
  for (let start = 0; start < line.length;) {
    const kind = line[start]?.kind;
    const length = line.slice(start).findIndex((character) => character.kind !== kind);
    const end = length === -1 ? line.length : start + length;
    const text = textOf(line.slice(start, end));
    if (kind === "wide") encoder.raw(wide(text));
    else encoder.text(kind === "plain" ? text : "??".repeat(end - start));
    start = end;
  }
  encoder.newline();
}

function printPicture(encoder: Encoder, picture: Picture, { dots }: Paper): void {
  const pixels = pixelsOf(picture, dots);
  encoder.image(pixels, pixels.width, pixels.height, "floydsteinberg");
}

/** The widths that the encoder knows. Lines are wrapped before they come to it. */
const encoderColumns = [32, 35, 42, 44, 48] as const;
const mostColumns = 48;

/** How lines are printed: the paper, the function that draws missing characters, and the scale. */
interface Drawing extends Pick<EncodeOptions, "draw" | "drawChinese"> {
  readonly paper: Paper;
  readonly size: number;
}

/** The picture of a line that the printer has no characters for, or null. */
async function drawLine(line: Line, { paper, draw, drawChinese = false, size }: Drawing): Promise<Picture | null> {
  const isMissing = line.some(({ kind }) => kind === "missing" || (drawChinese && kind === "wide"));
  if (draw === undefined || !isMissing) return null;
  return await draw(textOf(line), { width: paper.dots, height: lineHeight * size });
}

async function printText(encoder: Encoder, text: string, drawing: Drawing): Promise<void> {
  for (const line of wrapText(text, Math.floor(drawing.paper.columns / drawing.size))) {
    const picture = await drawLine(line, drawing);
    if (picture === null) printLine(encoder, line);
    else printPicture(encoder, picture, drawing.paper);
  }
}

async function printTitle(encoder: Encoder, title: string, drawing: Drawing): Promise<void> {
  encoder.bold(true).size(2, 2);
  await printText(encoder, title, { ...drawing, size: 2 });
  encoder.size(1, 1).bold(false);
}

/**
 * The bytes with which a printer that speaks ESC/POS prints a receipt: a heading, the title, who sent it and when, the text, its picture, its links as QR
 * codes, and the cut. Control characters in texts are left out.
 * @throws TypeError if the paper does not have 4 to 48 columns, or its dots are not a multiple of 8
 */
export async function encodeReceipt(receipt: Receipt, options: EncodeOptions = {}): Promise<Uint8Array> {
  const { paper = papers[58], cut = true, codes = true, draw, drawChinese } = options;
  if (paper.columns < 4 || paper.columns > mostColumns || paper.dots < 8 || paper.dots % 8 !== 0) {
    throw new TypeError(`A paper needs 4 to ${mostColumns} columns, and a multiple of 8 dots.`);
  }
  const encoder = new ReceiptPrinterEncoder({
    language: "esc-pos",
    columns: encoderColumns.find((columns) => columns >= paper.columns) ?? mostColumns,
    imageMode: "raster",
    feedBeforeCut,
    newline: "\n",
  });
  const drawing: Drawing = { paper, size: 1, ...(draw && { draw }), ...(drawChinese && { drawChinese }) };
  encoder.initialize().codepage("auto");
  if (receipt.isAgain === true) encoder.bold(true).line("(again)").bold(false);
  if (receipt.title !== undefined) await printTitle(encoder, receipt.title, drawing);
  const heading = [receipt.sender, receipt.time].filter((part) => part !== undefined).join("  ");
  if (heading !== "") await printText(encoder, heading, drawing);
  await printText(encoder, receipt.content, drawing);
  if (receipt.picture !== undefined) printPicture(encoder, receipt.picture, paper);
  for (const link of codes ? linksOf(receipt.content) : []) encoder.align("center").qrcode(link).align("left");
  if (cut) encoder.cut("partial");
  else encoder.newline(feedBeforeCut);
  return encoder.encode();
}
