/** DLE EOT 2 asks about the cover and the paper, and DLE EOT 4 about the sensors of the roll. Printers answer while they print. */
export const statusQuestions = { cause: Uint8Array.of(0x10, 0x04, 2), roll: Uint8Array.of(0x10, 0x04, 4) } as const;

/** GS r 1: a printer answers when it has handled everything before. */
export const orderedQuestion = Uint8Array.of(0x1d, 0x72, 1);

/** GS a 0: the printer sends no reports on its own. */
export const noReports = Uint8Array.of(0x1d, 0x61, 0);

/** Bits 0, 1, 4 and 7 say which answer a byte is. */
const kindBits = 0b1001_0011;

export const isStatus = (byte: number): boolean => (byte & kindBits) === 0b0001_0010;

/** Bits 4 and 7 of an answer to GS r are 0. */
export const isOrderedAnswer = (byte: number): boolean => (byte & 0b1001_0000) === 0;

/** The fault in an answer to DLE EOT 2, or null. */
export function causeOf(byte: number): string | null {
  if ((byte & 0b0000_0100) !== 0) return "cover open";
  if ((byte & 0b0010_0000) !== 0) return "paper out";
  return (byte & 0b0100_0000) !== 0 ? "printer error" : null;
}

/** The fault in an answer to DLE EOT 4, or null. */
export const rollOf = (byte: number): string | null => ((byte & 0b0110_0000) !== 0 ? "paper out" : null);
