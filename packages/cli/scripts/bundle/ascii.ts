import type { Plugin } from "rolldown";

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Writes all other characters as escapes. V8 keeps a source in two bytes a character if one of its characters is above U+00FF, and keeps it as long as
 * its functions: this halves the sources in memory. Escapes mean the same in literals, templates, expressions and names, and not in `String.raw`.
 */
export const ascii: Plugin = {
  name: "ascii",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "chunk") continue;
      if (/String\.raw`[^`]*[^\0-\x7f]|\\[^\0-\x7f]/.test(file.code))
        throw new TypeError(`${file.fileName} contains non-ASCII characters in String.raw or after a backslash.`);
      file.code = file.code.replaceAll(/[^\0-\x7f]/g, escaped);
    }
  },
};
