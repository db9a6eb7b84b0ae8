import { appendFile, open, rename, stat } from "node:fs/promises";

/** Maximum bytes at the end of a file that are read. */
const mostRead = 4 * 1024 * 1024;
/** Bytes after which a file is renamed to `….1`, which replaces the previous one. */
const mostKept = 16 * 1024 * 1024;

/** Reads the lines that were added to a file since the last call. The first call reads its end. */
export interface Tail {
  /** Empty if the file does not exist or cannot be read. */
  readonly read: () => Promise<readonly string[]>;
}

/** Follows a file to which other processes append complete lines. */
export function createTail(path: string): Tail {
  let at = 0;
  async function readOn(): Promise<readonly string[]> {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      // A shorter file is a new one.
      const begin = Math.max(size < at ? 0 : at, size - mostRead);
      const bytes = Buffer.alloc(size - begin);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, begin);
      const end = bytes.subarray(0, bytesRead).lastIndexOf("\n") + 1;
      at = begin + end;
      return bytes.subarray(0, end).toString("utf8").split("\n").filter(Boolean);
    } finally {
      await file.close();
    }
  }
  return { read: async () => await readOn().catch(() => []) };
}

/** Appends lines to a file, several of them together, and renames a long file. */
export function createLines(path: string, failed: (cause: unknown) => void): (line: string) => void {
  let waiting = "";
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const lines = waiting;
    waiting = "";
    if (lines === "") return;
    await appendFile(path, lines, { mode: 0o600 });
    if ((await stat(path)).size > mostKept) await rename(path, `${path}.1`);
  };
  return (line) => {
    waiting += `${line}\n`;
    writing = writing.then(write).catch(failed);
  };
}
