import { appendFile, open, rename, stat } from "node:fs/promises";

/** Bytes of the end of a file that are read at most. */
const mostRead = 4 * 1024 * 1024;
/** Bytes after which a file is put aside, in the place of the one that was put aside before. */
const mostKept = 16 * 1024 * 1024;

/** The lines that a file has got since the last time, from its end at first. */
export interface Tail {
  /** Empty where the file does not exist or cannot be read. */
  readonly read: () => Promise<readonly string[]>;
}

/** Follows a file that other processes append whole lines to. */
export function createTail(path: string): Tail {
  let at = 0;
  async function readOn(): Promise<readonly string[]> {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      // A shorter file is another one.
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

/** Appends lines to a file, some of one tick together, and puts a long file aside. */
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
