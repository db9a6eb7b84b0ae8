/** HTML that is sent as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

/** A text, which is escaped; or HTML. Null and false are left out. */
export type Part = Html | string | null | false | readonly Html[];

function textOf(part: Part): string {
  if (part === null || part === false) return "";
  if (typeof part === "string") return escape(part);
  return part instanceof Html ? part.text : part.map(({ text }) => text).join("");
}

/** Writes HTML. Texts between its parts are escaped, so they may stand in an element and in a quoted attribute. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((string, index) => string + textOf(parts[index] ?? null)).join(""));
