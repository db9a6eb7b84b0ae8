import type { Plugin } from "rolldown";

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Escapes all characters outside ASCII. V8 stores a source with two bytes per character if one of its characters is above U+00FF, and keeps
 * it while its functions exist: this halves the memory of sources. Escapes have the same meaning in literals, templates, expressions and
 * names, but not in `String.raw`.
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
