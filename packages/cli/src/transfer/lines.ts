import { createReadStream } from "node:fs";
import { codeOf } from "../errors/errors.ts";

/** A line of a file, and the place in the file behind it, in bytes. */
interface Line {
  readonly text: string;
  readonly end: number;
}

const newline = 10;
const chunkSize = 256 * 1024;

/** The whole lines of a file from a place on; none where there is no file. What follows the last line break is not a line. */
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
