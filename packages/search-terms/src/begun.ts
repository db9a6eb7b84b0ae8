/** Steps that are tried in one part: half a millisecond. */
export const stepsOfPart = 16_384;

export const [letterU, letterV, toneZero, toneFive] = [0x75, 0x76, 0x30, 0x35];

export const isTwoLetters = (syllable: string): boolean =>
  syllable.charAt(1) === "h" && "zcs".includes(syllable.charAt(0));

export const isTone = (code: number | undefined, tones: string): boolean =>
  code !== undefined &&
  code >= toneZero &&
  code <= toneFive &&
  (tones.includes(String.fromCodePoint(code)) || (code === toneFive && tones.includes("0")));

/** Matches in progress: for each number of characters of the word, the position where the first match began. */
export class Begun {
  /** In the order in which they were added. */
  readonly lengths: number[] = [];
  readonly #starts: Int32Array;

  constructor(length: number) {
    this.#starts = new Int32Array(length).fill(-1);
  }

  startOf(length: number): number {
    return this.#starts[length] ?? -1;
  }

  add(length: number, start: number): void {
    if (this.#starts[length] !== -1) return;
    this.#starts[length] = start;
    this.lengths.push(length);
  }

  clear(): void {
    for (const length of this.lengths) this.#starts[length] = -1;
    this.lengths.length = 0;
  }
}
