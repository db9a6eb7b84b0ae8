/** The letters of pairing codes. They exclude vowels and letters that resemble digits. */
const letters = new Set("BCDFGHJKLMNPQRSTVWXZ");
const length = 8;

/** The reason why a typed code cannot be valid. */
type CodeTrouble =
  | { readonly kind: "characters"; readonly found: readonly string[] }
  | { readonly kind: "length"; readonly count: number };

/** Finds the error in a typed code, or returns null. */
export function codeTrouble(typed: string): CodeTrouble | null {
  const typedLetters = [...typed.toUpperCase().replace(/[\s\-\u2010-\u2015]/g, "")];
  const wrongLetters = [...new Set(typedLetters.filter((letter) => !letters.has(letter)))];
  if (wrongLetters.length > 0) return { kind: "characters", found: wrongLetters };
  return typedLetters.length === length ? null : { kind: "length", count: typedLetters.length };
}
