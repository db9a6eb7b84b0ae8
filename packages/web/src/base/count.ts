/** The maximum length of a text to a device, in code points (interface 4.1). */
export const longestText = 2000;

/** The length of a text in code points, which the limit applies to. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
