import { type BitQuery } from "./signature.ts";
import { messagesPerBlock } from "./tables.ts";

/** Messages of a block, one bit each. */
type Members = Uint32Array;

const words = messagesPerBlock / 32;

/** Reads the messages of a block that have a bit; null if no message has it. */
type ReadSlice = (bit: number) => Uint8Array | null;

const toMembers = (slice: Uint8Array): Members =>
  slice.byteOffset % 4 === 0
    ? new Uint32Array(slice.buffer, slice.byteOffset, words)
    : new Uint32Array(slice.slice().buffer, 0, words);

/** Keeps the members that are also in `other`. False if none are left. */
function intersect(members: Members, other: Members): boolean {
  let left = 0;
  for (let at = 0; at < words; at += 1) {
    const both = (members[at] ?? 0) & (other[at] ?? 0);
    members[at] = both;
    left |= both;
  }
  return left !== 0;
}

function unite(members: Members, other: Members): void {
  for (let at = 0; at < words; at += 1) members[at] = (members[at] ?? 0) | (other[at] ?? 0);
}

/** The messages of a block with all of these bits. Stops reading when none are left. */
function withAll(bits: readonly number[], slice: (bit: number) => Members | null): Members | null {
  const members = new Uint32Array(words).fill(0xffffffff);
  for (const bit of bits) {
    const other = slice(bit);
    if (other === null || !intersect(members, other)) return null;
  }
  return members;
}

/**
 * The positions in a block of the messages that match, the newest first.
 * @param readSlice is called at most once for each bit
 */
export function* searchBlock(query: BitQuery, readSlice: ReadSlice): Generator<number> {
  const cached = new Map<number, Members | null>();
  const slice = (bit: number): Members | null => {
    const read = cached.get(bit);
    if (read !== undefined) return read;
    const bytes = readSlice(bit);
    const members = bytes === null ? null : toMembers(bytes);
    cached.set(bit, members);
    return members;
  };
  const matches = new Uint32Array(words).fill(0xffffffff);
  for (const spellings of query) {
    const ofWord = new Uint32Array(words);
    for (const bits of spellings) {
      const members = withAll(bits, slice);
      if (members !== null) unite(ofWord, members);
    }
    if (!intersect(matches, ofWord)) return;
  }
  for (let at = messagesPerBlock - 1; at >= 0; at -= 1) {
    const word = matches[at >> 5] ?? 0;
    if (word === 0) at &= ~31;
    else if (((word >>> (at & 31)) & 1) === 1) yield at;
  }
}
