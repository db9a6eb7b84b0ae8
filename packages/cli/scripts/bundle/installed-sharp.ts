import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

const bundled = import.meta.resolve("sharp");
const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", bundled), "utf8"));
const version = typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : null;

const id = "\0sharp";

const source = `
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const installed = require("node:module").createRequire(__filename);
const { version } = JSON.parse(readFileSync(join(installed.resolve("sharp"), "..", "..", "package.json"), "utf8"));
module.exports = version === ${JSON.stringify(version)} ? require(${JSON.stringify(fileURLToPath(bundled))}).default : installed("sharp");
`;

/**
 * Bundles the JavaScript of sharp: finding and reading its 60 files takes longer than loading its binary, which is loaded from the
 * installed package. If another version of sharp is installed, for example by an override, the bundle loads all of sharp from there.
 */
export const installedSharp: Plugin = {
  name: "installed-sharp",
  resolveId: { filter: { id: /^sharp$/ }, handler: () => id },
  load: { filter: { id: /^\0sharp$/ }, handler: () => source },
  transform: {
    filter: { id: /[\\/]node_modules[\\/]sharp[\\/]dist[\\/]/ },
    // sharp looks for its binary in this folder.
    handler: (code) => ({
      code: code.replaceAll("import.meta.url", 'createRequire(__filename).resolve("sharp")'),
      map: null,
    }),
  },
};
