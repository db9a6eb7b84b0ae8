/** Characters that change how a text looks or where it ends: controls, marks of direction, and half surrogate pairs. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

/** JSON in which every character can be seen: what a person reads is what is sent. */
export const visibleJson = (value: unknown): string => JSON.stringify(value).replaceAll(hidden, escaped);

/** A text for a model, without controls other than line ends and tabs. */
export const plainText = (text: string): string =>
  text.replaceAll(hidden, (character) => (character === "\n" || character === "\t" ? character : " "));

/** The beginning of a text. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}… (${text.length} characters)`;
