/** Values of a frame that are read: a list of the 10,000 members that count has fewer. */
const maxValues = 200_000;

/** The characters before values, and the one before escapes in CQ codes. */
const marks = [",", "[", "{", "&"] as const;

/** True if a JSON text may contain so many values that parsing it would block all other connections. Marks in strings count as well. */
export function hasTooManyValues(text: string): boolean {
  if (text.length <= maxValues) return false;
  let count = 0;
  for (const mark of marks) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      count += 1;
      if (count > maxValues) return true;
    }
  }
  return false;
}
