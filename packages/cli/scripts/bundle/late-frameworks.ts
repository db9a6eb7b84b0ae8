import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

const entry = "\0frameworks";
const file = "./frameworks.cjs";
const prefix = "\0late-framework:";

/** The modules of the frameworks that packages of Telex import, with the names they use. A missing name would be undefined. */
export const lateNames: Readonly<Record<string, readonly string[]>> = {
  h3: ["H3", "fromNodeHandler"],
  srvx: ["FastResponse"],
  "srvx/node": ["NodeRequest", "sendNodeResponse"],
  "crossws/adapters/node": ["default"],
};

const getter = (name: string): string =>
  name === "default"
    ? "module.exports = (options) => load().nodeAdapter(options);\n"
    : `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => load().${name} });\n`;

const late = (specifier: string): string => (lateNames[specifier] ?? []).map(getter).join("");

const frameworks = `
export { H3, fromNodeHandler } from "h3";
export { FastResponse } from "srvx";
export { NodeRequest, sendNodeResponse } from "srvx/node";
export { default as nodeAdapter } from "crossws/adapters/node";
`;

const importerOf = (specifier: string): string =>
  fileURLToPath(new URL(`../../../${specifier.startsWith("crossws") ? "ws" : "http"}/src/index.ts`, import.meta.url));

/** The frameworks, as a separate file of the bundle. */
export const frameworksEntry = { frameworks: entry };

/**
 * Loads the frameworks for the first request or socket that needs them, not when the server starts: loading them also loads the web classes
 * of Node, which take about 15 MiB.
 */
export const lateFrameworks: Plugin = {
  name: "late-frameworks",
  resolveId: {
    filter: { id: [/^\0frameworks$/, /^\.\/frameworks\.cjs$/, /^(?:h3|srvx(?:\/node)?|crossws\/adapters\/node)$/] },
    handler(id, importer = "") {
      if (id === entry) return id;
      if (id === file) return { id, external: true };
      if (importer === entry) return this.resolve(id, importerOf(id), { skipSelf: true });
      return /[\\/](?:http|ws)[\\/]src[\\/]/.test(importer) ? prefix + id : null;
    },
  },
  load: {
    filter: { id: [/^\0frameworks$/, /^\0late-framework:/] },
    handler: (id) =>
      id === entry ? frameworks : `const load = () => require("${file}");\n${late(id.slice(prefix.length))}`,
  },
};
