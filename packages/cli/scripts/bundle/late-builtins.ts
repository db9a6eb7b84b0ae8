import type { Plugin } from "rolldown";

/**
 * Functions of built-in modules that dependencies import for features that Telex does not use, or for their installation. Loading
 * these two modules takes longer than the rest of `telex --help`.
 */
const functions: Readonly<Record<string, readonly string[]>> = {
  "node:child_process": ["exec", "execSync", "spawn", "spawnSync"],
  "node:crypto": ["createHash"],
};

const functionsPrefix = "\0late:";

/** Looks up a function in the module when it is called: these dependencies look it up when they are loaded. */
const functionsOf = (builtin: string): string =>
  (functions[builtin] ?? [])
    .map((name) => `exports.${name} = (...values) => require("${builtin}").${name}(...values);\n`)
    .join("");

/** Built-in modules that an idle server does not use. */
const idle = /^(?:node:)?(?:dns|dns\/promises|https|readline|tls|zlib)$/;

const namesPrefix = "\0late-names:";

const namesOf = (builtin: string): string => `
for (const name of ${JSON.stringify(Object.keys(process.getBuiltinModule(builtin) ?? {}))})
  Object.defineProperty(exports, name, { enumerable: true, get: () => require("${builtin}")[name] });
`;

const isTool = (importer: string): boolean => /[\\/]node_modules[\\/](commander|sharp|detect-libc)[\\/]/.test(importer);

/** Loads built-in modules when one of their names is used, instead of when another module imports them. */
export const lateBuiltins: Plugin = {
  name: "late-builtins",
  resolveId: {
    filter: { id: /^(?:node:)?[a-z_]+(?:\/promises)?$/ },
    handler(specifier, importer = "") {
      const builtin = specifier.replace(/^(?:node:)?/, "node:");
      if (isTool(importer) && builtin in functions) return functionsPrefix + builtin;
      return idle.test(builtin) && !importer.startsWith(namesPrefix) ? namesPrefix + builtin : null;
    },
  },
  load: {
    filter: { id: /^\0late(?:-names)?:/ },
    handler: (id) =>
      id.startsWith(namesPrefix)
        ? namesOf(id.slice(namesPrefix.length))
        : functionsOf(id.slice(functionsPrefix.length)),
  },
};
