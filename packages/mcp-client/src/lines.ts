const smallest = 4096;

/** Bytes in one buffer, which doubles, so that pieces of one byte cost no more than a large piece. */
function createBytes() {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add(piece: Buffer): void {
      const needed = length + piece.length;
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(smallest, needed, 2 * buffer.length));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      piece.copy(buffer, length);
      length = needed;
    },
    take(): string {
      const text = buffer.toString("utf8", 0, length);
      [buffer, length] = [Buffer.alloc(0), 0];
      return text;
    },
  };
}

/** Cuts a stream into lines. Empty ones are left out. */
export function createLines(take: (line: string) => void): (chunk: Buffer) => void {
  const bytes = createBytes();
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      bytes.add(chunk.subarray(from, end));
      from = end + 1;
      const line = bytes.take().trim();
      if (line !== "") take(line);
    }
    bytes.add(chunk.subarray(from));
  };
}
