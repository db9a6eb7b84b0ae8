import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import type { OpenPicture } from "@telex/image-text/picture";
import { codeOf, Failure } from "../errors/errors.ts";

/** The readable formats, for messages. */
const formats = "JPEG, PNG, GIF, WebP, AVIF and TIFF, and SVG from a file";

/**
 * Opens the picture in a file.
 * @param file path, or `-` for stdin; SVG is only read from files, because input of a pipe may be untrusted
 * @throws Failure `unreadable_file`, or `unreadable_image` with the readable formats
 */
export async function readPicture(file: string): Promise<OpenPicture> {
  const bytes = await readBytes(file);
  const { openPicture } = await import("@telex/image-text/picture");
  const isSvg = looksLikeSvg(bytes);
  if (isSvg && file === "-") throw unreadable("An SVG is read from a file only, not from stdin.");
  return await openPicture(bytes, { svg: isSvg }).catch((error: unknown) => {
    if (!isUnreadable(error)) throw error;
    const name = file === "-" ? "The input from stdin" : file;
    throw unreadable(
      `${name} ${isBmp(bytes) ? "is a BMP, which cannot" : "is not a picture that can"} be read.`,
      error,
    );
  });
}

const unreadable = (what: string, cause?: unknown): Failure =>
  new Failure("unreadable_image", `${what} Supported formats: ${formats}.`, { cause });

/** True for a failure that needs the list of formats. Others explain themselves. */
const isUnreadable = (error: unknown): boolean =>
  codeOf(error) === "unreadable_image" && error instanceof Error && error.message === "unreadable_image";

const isBmp = (bytes: Uint8Array): boolean => bytes[0] === 0x42 && bytes[1] === 0x4d;

/** True for XML whose first element is `svg`, after a declaration, a document type and comments. */
const looksLikeSvg = (bytes: Uint8Array): boolean =>
  /^\uFEFF?\s*(<\?xml[^>]*>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i.test(
    new TextDecoder().decode(bytes.subarray(0, 4096)),
  );

async function readBytes(file: string): Promise<Uint8Array> {
  if (file === "-") return await buffer(process.stdin);
  try {
    // A synchronous read is fine: the process has no other work, and reading a large picture in pieces takes a third longer.
    return readFileSync(file);
  } catch (error) {
    throw new Failure("unreadable_file", `${file} cannot be read: ${fileReason(error)}.`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ENOSPC: "no space is left",
};

/** The reason why a file cannot be read or written, for a person. */
export const fileReason = (error: unknown): string => reasons[codeOf(error) ?? ""] ?? codeOf(error) ?? "unknown reason";
