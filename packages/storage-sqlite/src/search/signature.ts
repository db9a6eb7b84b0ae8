import type { MessageSearch } from "@telex/core/storage";

/*
 * The terms of a message as a row of bits: two bits for each term. A message with a term has both of its bits; a message with both
 * bits may not have the term.
 */

/** Bits of a signature. */
export const signatureBits = 2048;
/** Bytes of a signature. */
export const signatureBytes = signatureBits / 8;

const firstBit = (term: number): number => term % signatureBits;
const secondBit = (term: number): number => Math.floor(term / signatureBits) % signatureBits;

/** Adds terms to the signature that begins at `offset`. */
export function addTerms(bytes: Uint8Array, offset: number, terms: readonly number[]): void {
  for (const term of terms) {
    // The same as `firstBit` and `secondBit` for terms of 32 bits, but faster: each message has more than a hundred terms.
    const first = term & 2047;
    const second = (term >>> 11) & 2047;
    const [at, next] = [offset + (first >> 3), offset + (second >> 3)];
    bytes[at] = (bytes[at] ?? 0) | (1 << (first & 7));
    bytes[next] = (bytes[next] ?? 0) | (1 << (second & 7));
  }
}

/** For each spelling of each word, the bits that a signature must have. */
export type BitQuery = readonly (readonly (readonly number[])[])[];

/** The bits of these terms, each once. */
export const bitsOfTerms = (terms: readonly number[]): readonly number[] => [
  ...new Set(terms.flatMap((term) => [firstBit(term), secondBit(term)])),
];

/** The bits of the words. */
export const bitsOf = (words: MessageSearch["words"]): BitQuery => words.map((spellings) => spellings.map(bitsOfTerms));

/**
 * True if the signature that begins at `offset` matches.
 * @param tested is called for each bit that is tested
 */
export function hasBits(signatures: Uint8Array, offset: number, query: BitQuery, tested: () => void): boolean {
  const has = (bit: number): boolean => {
    tested();
    return (((signatures[offset + (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 1;
  };
  return query.every((spellings) => spellings.some((bits) => bits.every(has)));
}
