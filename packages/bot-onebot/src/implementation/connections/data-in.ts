/** Characters from which on a run of base64 counts as data. */
const leastRun = 1024;

/**
 * The characters of base64 in both its alphabets, and those that escape them in JSON and in forms. None of them separates values,
 * so a run of them is a part of one.
 */
const ofData = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_\\%");
const isOfData = Uint8Array.from({ length: 128 }, (_, code) => Number(ofData.has(String.fromCharCode(code))));

/**
 * The characters of a JSON text or a form that are base64, in runs of at least 1 KiB. They cost no more than their bytes; all others
 * may become values, which cost many times that. The search always costs less than the parsing.
 */
export function dataIn(text: string): number {
  const has = (at: number): boolean => isOfData[text.charCodeAt(at)] === 1;
  let count = 0;
  // Every run that is long enough has a character at one of these positions.
  for (let index = leastRun - 1; index < text.length; index += leastRun) {
    if (!has(index)) continue;
    let [start, end] = [index, index + 1];
    while (start > 0 && has(start - 1)) start -= 1;
    while (has(end)) end += 1;
    if (end - start >= leastRun) count += end - start;
    index = end;
  }
  return count;
}
