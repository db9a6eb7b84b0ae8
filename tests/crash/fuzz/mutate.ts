/** Tokens that matter to parsers: numbers at their limits, delimiters, escapes, halves of characters. */
const words =
  String.raw`0 -0 1.0 1e0 -1 9007199254740993 1e400 00 NaN null true " \ \u0000 \ud800 \u0069d "id":1.0 { } [ ] , :`
    .concat(' {"toString":1} --x --x-- ; = % filename*= bytes= -')
    .split(" ")
    .concat("\r\n", "\r\n\r\n", "\0", "\u00ff\u00fe", "\u00c3");

type Change = (bytes: Buffer, at: number, random: () => number) => Buffer;

const insert = (bytes: Buffer, at: number, part: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);

const changes: readonly Change[] = [
  (bytes, at, random) => {
    const changed = Buffer.from(bytes);
    if (changed.length > 0) changed[at % changed.length] = Math.floor(random() * 256);
    return changed;
  },
  (bytes, at, random) => insert(bytes, at, Buffer.from(words[Math.floor(random() * words.length)] ?? "", "latin1")),
  (bytes, at, random) => {
    const end = at + Math.floor(random() * 16);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
  },
  (bytes, at, random) => insert(bytes, at, bytes.subarray(at, at + Math.floor(random() * 64))),
  (bytes, at) => bytes.subarray(0, at),
];

/** Longer inputs take more time, and do not find more. */
const maxBytes = 4096;

/** Derives an input: one to four changes to a known one, or a combination of two. */
export function mutate(corpus: readonly Buffer[], random: () => number): Buffer {
  const pick = (): Buffer => corpus[Math.floor(random() * corpus.length)] ?? Buffer.alloc(0);
  let bytes = pick();
  if (random() < 0.1) {
    const cut = Math.floor(random() * bytes.length);
    bytes = Buffer.concat([bytes.subarray(0, cut), pick().subarray(cut)]);
  }
  const count = 1 + Math.floor(random() * 4);
  for (let index = 0; index < count; index += 1) {
    const change = changes[Math.floor(random() * changes.length)];
    bytes = change?.(bytes, Math.floor(random() * (bytes.length + 1)), random) ?? bytes;
  }
  return bytes.subarray(0, maxBytes);
}
