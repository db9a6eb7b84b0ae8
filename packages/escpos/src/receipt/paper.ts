/** The printable part of a roll of paper. */
export interface Paper {
  /** Dots from left to right, a multiple of 8. */
  readonly dots: number;
  /** Characters of one line; a Chinese character takes two. */
  readonly columns: number;
}

/** The width of a roll in millimetres. */
export type PaperWidth = 58 | 80;

/** Papers by the width of their roll. */
export const papers: Readonly<Record<PaperWidth, Paper>> = {
  58: { dots: 384, columns: 32 },
  80: { dots: 576, columns: 48 },
};
