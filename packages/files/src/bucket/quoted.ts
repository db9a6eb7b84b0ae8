import { TelexError } from "@telex/ground/errors";
import type { BlobStore } from "../blobs/blobs.ts";
import type { FileRecord } from "../records.ts";
import type { BucketStore } from "./store.ts";
import { readFile } from "./thumbnails.ts";

/** A file as a model accepts it: a picture as a `data:` URL, or a text with its name. */
export type QuotedPart = { readonly image: string } | { readonly text: string };

/** An upload that goes with a question. */
export interface QuotedFile {
  readonly file: FileRecord;
  readonly part: QuotedPart;
}

/** Reads files of people for models. */
export interface QuotedFiles {
  /**
   * An upload of this user under a name. Pictures have at most 512 pixels on each side.
   * @throws TelexError `file_not_found`, `unreadable_image`, `busy`, `invalid_request` if it is neither a picture nor a text in UTF-8 of at
   *   most 256 KiB
   */
  readonly read: (userId: number, md5: string, name: string) => Promise<QuotedFile>;
}

interface QuotedDeps {
  readonly store: Pick<BucketStore, "findUploads">;
  readonly blobs: BlobStore;
  /** A stored picture as a JPEG of at most 512 pixels on each side. @throws TelexError `unreadable_image`, `busy` */
  readonly small: (file: FileRecord) => Promise<Uint8Array>;
}

/** Bytes of a text file: 256 KiB. */
const longestText = 262_144;

/** A fence that is longer than every one within the text, so that the text cannot end its quotation. */
function fenceFor(text: string): string {
  let [run, longest] = [0, 2];
  for (const character of text) {
    run = character === "`" ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return "`".repeat(longest + 1);
}

function quote(name: string, bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) {
      const fence = fenceFor(text);
      return `The file ${JSON.stringify(name)}:\n${fence}\n${text}\n${fence}`;
    }
  } catch {
    // Not UTF-8.
  }
  throw new TelexError("invalid_request", { reason: "file_not_text", params: { name } });
}

async function readPart({ blobs, small }: QuotedDeps, file: FileRecord, name: string): Promise<QuotedPart> {
  if (file.ext !== "") {
    const jpeg = await small(file);
    return { image: `data:image/jpeg;base64,${Buffer.from(jpeg).toString("base64")}` };
  }
  if (file.size > longestText)
    throw new TelexError("invalid_request", {
      reason: "file_too_long",
      params: { name, size: file.size, max: longestText },
    });
  return { text: quote(name, await readFile(blobs, file)) };
}

/** Reads uploads for models. */
export const createQuotedFiles = (deps: QuotedDeps): QuotedFiles => ({
  async read(userId, md5, name) {
    const [file] = await deps.store.findUploads(userId, [md5]);
    if (file === undefined) throw new TelexError("file_not_found");
    return { file, part: await readPart(deps, file, name) };
  },
});
