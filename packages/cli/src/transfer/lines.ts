import { createReadStream } from "node:fs";
import { codeOf } from "../errors/errors.ts";

/** A line of a file, and the offset in bytes after it. */
interface Line {
  readonly text: string;
  readonly end: number;
}

const newline = 10;
const chunkSize = 256 * 1024;

/** Reads the complete lines of a file from an offset, or nothing if the file does not exist. A last line without a line break is incomplete. */
export async function* readLines(path: string, start: number): AsyncGenerator<Line> {
  let rest: Uint8Array = new Uint8Array();
  let end = start;
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(path, { start, highWaterMark: chunkSize });
    for await (const chunk of chunks) {
      const bytes = Buffer.concat([rest, chunk]);
      let from = 0;
      for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
        end += at + 1 - from;
        yield { text: bytes.toString("utf8", from, at), end };
        from = at + 1;
      }
      rest = bytes.subarray(from);
    }
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
