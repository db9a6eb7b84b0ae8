import type { Plugin } from "rolldown";

/**
 * Functions of built-in modules that dependencies import for features that Telex does not use, or for their installation. Loading
 * these two modules takes longer than the rest of `telex --help`.
 */
const functions: Readonly<Record<string, readonly string[]>> = {
  "node:child_process": ["exec", "execSync", "spawn", "spawnSync"],
  "node:crypto": ["createHash"],
};

const prefix = "\0late:";

const source = (builtin: string): string =>
  (functions[builtin] ?? [])
    .map((name) => `exports.${name} = (...values) => require("${builtin}").${name}(...values);\n`)
    .join("");

/** Loads built-in modules when one of their functions is called, instead of when a dependency imports them. */
export const lateBuiltins: Plugin = {
  name: "late-builtins",
  resolveId: {
    filter: { id: /^(node:)?(child_process|crypto)$/ },
    handler: (specifier, importer = "") =>
      /[\\/]node_modules[\\/](commander|sharp|detect-libc)[\\/]/.test(importer)
        ? prefix + specifier.replace(/^(node:)?/, "node:")
        : null,
  },
  load: {
    filter: { id: /^\0late:/ },
    handler: (id) => source(id.slice(prefix.length)),
  },
};
