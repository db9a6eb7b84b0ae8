/** An estimate: four bytes for each token are right for English, and close for other languages. */
export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
