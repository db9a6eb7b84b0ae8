/** Code points that a text to a device may have (interface 4.1). */
export const longestText = 2000;

/** The code points of a text: what the limit counts. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
