import { TelexError } from "@telex/core";

/** The refusal of a body of more than `max` bytes. */
export const tooLarge = (max: number): TelexError => new TelexError("too_large", { params: { max } });

/** A picture, which costs no more than its bytes. Many short ones would cost more than a long one. */
const picture = /^data:image\/[a-z]+;base64,[A-Za-z0-9+/]{1024}[A-Za-z0-9+/]*={0,2}$/;

interface Bounds {
  readonly bodySize: number;
  readonly besidePictures: number;
  /** Levels of objects and lists that are counted. */
  readonly depth: number;
}

/**
 * The minimum bytes of a JSON text with this value. Stops when the value is too large.
 * @throws TelexError `too_large`
 */
export function measure(value: unknown, { bodySize, besidePictures, depth }: Bounds): number {
  let beside = 0;
  let pictures = 0;
  const addText = (text: string): void => {
    const size = Buffer.byteLength(text) + 2;
    if (picture.test(text)) pictures += size;
    else beside += size;
  };
  const refuseLarge = (): void => {
    if (beside > besidePictures) throw tooLarge(besidePictures);
    if (beside + pictures > bodySize) throw tooLarge(bodySize);
  };
  const add = (part: unknown, left: number): void => {
    if (typeof part === "string") addText(part);
    else beside += 1;
    refuseLarge();
    if (typeof part !== "object" || part === null || left === 0) return;
    const values = Object.values(part);
    // A comma for each value, and for a key its quotes and the colon.
    beside += values.length;
    if (!Array.isArray(part)) for (const key of Object.keys(part)) beside += Buffer.byteLength(key) + 3;
    refuseLarge();
    for (const inner of values) add(inner, left - 1);
  };
  add(value, depth);
  return beside + pictures;
}
