/** The letters of which the server makes codes: no vowels, nothing that looks like a digit. */
const letters = new Set("BCDFGHJKLMNPQRSTVWXZ");
const length = 8;

/** Why a typed code cannot be one that a device shows. */
type CodeTrouble =
  | { readonly kind: "characters"; readonly found: readonly string[] }
  | { readonly kind: "length"; readonly count: number };

/** Finds the slip in a typed code; null for one that may be right. */
export function codeTrouble(typed: string): CodeTrouble | null {
  const typedLetters = [...typed.toUpperCase().replace(/[\s\-\u2010-\u2015]/g, "")];
  const wrongLetters = [...new Set(typedLetters.filter((letter) => !letters.has(letter)))];
  if (wrongLetters.length > 0) return { kind: "characters", found: wrongLetters };
  return typedLetters.length === length ? null : { kind: "length", count: typedLetters.length };
}
