/** Whole-number weights of red, green and blue. */
export type Weights = readonly [red: number, green: number, blue: number];

/** 0.299, 0.587 and 0.114 in thousandths (interface 4.3). */
export const luma: Weights = [299, 587, 114];

/** Pixels, three bytes each, and what each channel weighs. */
export interface Scale {
  readonly bytes: Uint8Array;
  readonly words: DataView;
  readonly weights: Weights;
}

/** Makes the pixels ready for {@link weigh}. */
export function createScale(bytes: Uint8Array, weights: Weights): Scale {
  return { bytes, words: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), weights };
}

/** Bytes of four pixels, which are three words. */
const group = 12;

/** Bytes from which on words are faster than single bytes. */
const longRun = 4 * group;

/** Bytes that {@link weighGroups} can take: 128 groups, so that its sums stay below 2^31. */
const groupRun = 128 * group;

/** The weighted sum of the pixels between two offsets in bytes. */
export function weigh(scale: Scale, from: number, to: number): number {
  const { bytes, weights } = scale;
  let sum = 0;
  let at = from;
  while (to - at >= longRun) {
    const end = Math.min(at + groupRun, to - ((to - at) % group));
    sum += weighGroups(scale, at, end);
    at = end;
  }
  for (; at < to; at += 3) {
    sum += weights[0] * (bytes[at] ?? 0) + weights[1] * (bytes[at + 1] ?? 0) + weights[2] * (bytes[at + 2] ?? 0);
  }
  return sum;
}

/** Four pixels at a time. A word is two pairs of bytes, and a pair is summed in one number, 16 bits apart. */
function weighGroups({ words, weights }: Scale, from: number, to: number): number {
  // The channels and pixels of each pair, the one in the high bits first.
  let b0r0 = 0;
  let r1g0 = 0;
  let r2g1 = 0;
  let g2b1 = 0;
  let g3b2 = 0;
  let b3r3 = 0;
  for (let at = from; at < to; at += group) {
    const first = words.getUint32(at, true);
    const second = words.getUint32(at + 4, true);
    const third = words.getUint32(at + 8, true);
    b0r0 += first & 0xff00ff;
    r1g0 += (first >>> 8) & 0xff00ff;
    r2g1 += second & 0xff00ff;
    g2b1 += (second >>> 8) & 0xff00ff;
    g3b2 += third & 0xff00ff;
    b3r3 += (third >>> 8) & 0xff00ff;
  }
  const red = (b0r0 & 0xffff) + (r1g0 >>> 16) + (r2g1 >>> 16) + (b3r3 & 0xffff);
  const green = (r1g0 & 0xffff) + (r2g1 & 0xffff) + (g2b1 >>> 16) + (g3b2 >>> 16);
  const blue = (b0r0 >>> 16) + (g2b1 & 0xffff) + (g3b2 & 0xffff) + (b3r3 >>> 16);
  return weights[0] * red + weights[1] * green + weights[2] * blue;
}
