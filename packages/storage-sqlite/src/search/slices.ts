import { signatureBytes } from "./signature.ts";
import { messagesPerBlock } from "./tables.ts";

const wordsPerSignature = signatureBytes / 4;

/** Bytes of one bit of all messages of a block. */
export const sliceBytes = messagesPerBlock / 8;

/** A bit that no message has. */
export const emptySlice = Buffer.alloc(sliceBytes);

/** Adds the signatures of a chunk whose first message has the position `first` in the block. */
export function transposeChunk(slices: Uint8Array, first: number, bits: Uint8Array): void {
  const words = new Uint32Array(bits.buffer, bits.byteOffset, bits.byteLength / 4);
  for (let at = 0; at < words.length; at += 1) {
    const message = first + Math.floor(at / wordsPerSignature);
    const firstBit = (at % wordsPerSignature) * 32;
    const byte = message >> 3;
    const mask = 1 << (message & 7);
    for (let left = words[at] ?? 0; left !== 0; left &= left - 1) {
      const slice = (firstBit + 31 - Math.clz32(left & -left)) * sliceBytes + byte;
      slices[slice] = (slices[slice] ?? 0) | mask;
    }
  }
}
