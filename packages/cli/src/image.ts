import { readFile, writeFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { renderStyle, renderText } from "@telex/core/sharp";
import type { Algo, StyleOptions } from "@telex/core/sharp";
import { codeOf, Failure, UsageError } from "./errors.ts";
import { jsonText } from "./output.ts";

/** What `telex image` was asked for. */
export interface ImageOptions {
  readonly col?: number;
  readonly algo?: Algo;
  readonly out?: string;
  readonly crlf?: boolean;
  readonly style?: StyleOptions["style"];
  readonly color?: boolean;
  readonly invert?: boolean;
  readonly ramp?: string;
  readonly json?: boolean;
}

/**
 * A picture as text, its lines ending with LF.
 * @throws UsageError, Failure and TelexError as `printImage` does
 */
export async function readImageText(file: string, options: ImageOptions): Promise<string> {
  return (await draw(await readPicture(file), options)).replaceAll("\r\n", "\n");
}

/**
 * Prints a picture as text, or writes it to a file.
 * @throws UsageError for options that exclude each other
 * @throws Failure where the picture cannot be read or the file cannot be written
 * @throws TelexError `unreadable_image`
 */
export async function printImage(file: string, options: ImageOptions): Promise<void> {
  const lines = await readImageText(file, options);
  if (options.out !== undefined) await write(options.out, crlf(lines));
  else if (options.json === true) process.stdout.write(`${jsonText(describe(lines, options))}\n`);
  else process.stdout.write(options.crlf === true ? crlf(lines) : lines);
}

const crlf = (lines: string): string => lines.replaceAll("\n", "\r\n");

async function draw(bytes: Uint8Array, options: ImageOptions): Promise<string> {
  const { col = 69, algo = "gray", color = false, invert = false, style, ramp } = options;
  if (style === undefined && ramp === undefined && !color && !invert) return await renderText(bytes, { col, algo });
  if (algo === "border")
    throw new UsageError("--algo border has one look: leave out --style, --color, --invert and --ramp.");
  if (ramp === "") throw new UsageError("--ramp needs at least one character.");
  return await renderStyle(bytes, { col, style: style ?? "ramp", color, invert, ...(ramp !== undefined && { ramp }) });
}

const describe = (text: string, { col = 69, algo = "gray", style = "ramp" }: ImageOptions) => ({
  col,
  lines: text.split("\n").length - 1,
  algo,
  style,
  text,
});

async function readPicture(file: string): Promise<Uint8Array> {
  if (file === "-") return await buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw new Failure("unreadable_file", `${file} cannot be read: ${reason(error)}.`, { cause: error });
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new Failure("unwritable_file", `${file} cannot be written: ${reason(error)}.`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ENOSPC: "no space is left",
};

const reason = (error: unknown): string => reasons[codeOf(error) ?? ""] ?? codeOf(error) ?? "unknown reason";
