import type { Drawing } from "./drawing.ts";
import { writeFileSync } from "node:fs";
import { Failure, UsageError } from "../errors/errors.ts";
import { printJsonLine } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import { columnsFor, lookOf, terminalOf, type Look, type LookOptions } from "./look.ts";
import { fileReason, readPicture } from "./read.ts";

export interface ImageOptions extends LookOptions {
  readonly play?: boolean;
}

/**
 * A picture as text, its lines ending with LF.
 * @throws UsageError, Failure and TelexError as `printImage` does
 */
export async function readImageText(file: string, options: LookOptions): Promise<string> {
  const drawing = await open(file, lookOf(options, null, false));
  return await drawFirst(drawing);
}

/**
 * Prints a picture as text, or writes it to a file.
 * @throws UsageError for options that exclude each other
 * @throws Failure if the picture cannot be read or the file cannot be written
 * @throws TelexError `unreadable_image`
 */
export async function printImage(file: string, options: ImageOptions, json: boolean, talk: Talk): Promise<void> {
  const terminal = terminalOf(process.stdout);
  if (options.play === true && terminal === null) throw new UsageError("--play needs a terminal.");
  const drawing = await open(file, lookOf(options, terminal, !json));
  const frames = drawing.picture.delays.length;
  if (options.play === true && frames > 1) {
    const { play } = await import("./play.ts");
    return await play(drawing, await drawAll(drawing));
  }
  const lines = await drawFirst(drawing);
  if (options.out !== undefined) write(options.out, crlf(lines));
  else if (json) printJsonLine({ file, ...describe(lines, drawing) });
  else process.stdout.write(options.crlf === true ? crlf(lines) : lines);
  if (frames > 1) talk.note(`${file} has ${frames} frames; this is the first one. On a terminal, --play plays them.`);
}

async function open(file: string, look: Look): Promise<Drawing> {
  const picture = await readPicture(file);
  const drawing = { picture, look, col: columnsFor(picture, look.room) };
  const { checkTextLines } = await import("@telex/image-text/picture");
  checkTextLines(picture, drawing.col);
  return drawing;
}

async function drawFirst({ picture, look, col }: Drawing): Promise<string> {
  if (look.style === "telex") return (await picture.text({ col, algo: look.algo })).replaceAll("\r\n", "\n");
  const { styleOf } = await import("@telex/image-text");
  return styleOf(await picture.first(), { ...look.options, style: look.style, col });
}

async function drawAll({ picture, look, col }: Drawing): Promise<string[]> {
  const { styleOf, textOf } = await import("@telex/image-text");
  return (await picture.all()).map((pixels) =>
    look.style === "telex"
      ? textOf(pixels, { col, algo: look.algo }).replaceAll("\r\n", "\n")
      : styleOf(pixels, { ...look.options, style: look.style, col }),
  );
}

const crlf = (lines: string): string => lines.replaceAll("\n", "\r\n");

const describe = (text: string, { look, col }: Drawing) => ({
  col,
  lines: text.split("\n").length - 1,
  algo: look.style === "telex" ? look.algo : "gray",
  style: look.style,
  text,
});

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Failure("unwritable_file", `${file} cannot be written: ${fileReason(error)}.`, { cause: error });
  }
}
