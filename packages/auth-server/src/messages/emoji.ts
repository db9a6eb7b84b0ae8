/** Text that is drawn as an emoji only with U+FE0F after it. */
const isPlain = (character: string): boolean =>
  /^\p{Emoji}$/v.test(character) && !/^\p{Emoji_Presentation}$/v.test(character);

const variation = "\u{FE0F}";

/** Adds U+FE0F after each character that needs it. A skin colour replaces it. */
function withVariations(text: string): string {
  const characters = [...text.replaceAll(variation, "")];
  return characters
    .map((character, at) => {
      const hasSkin = /^\p{Emoji_Modifier}$/v.test(characters[at + 1] ?? "");
      return isPlain(character) && !hasSkin ? character + variation : character;
    })
    .join("");
}

/** One emoji in the form in which it is stored; null for any other text. */
export function emojiOf(text: string): string | null {
  return [text, withVariations(text)].find((form) => /^\p{RGI_Emoji}$/v.test(form)) ?? null;
}
