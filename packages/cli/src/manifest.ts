import { readFileSync } from "node:fs";
import { fieldOf, textOf } from "./input/unknown.ts";

/** The fields of the package.json that commands use. */
interface CommandManifest {
  readonly version: string;
  /** The tested versions of Node, such as `^24.15.0 || >=26.10.0`. */
  readonly node: string;
}

/** The package.json, one folder above this file, both in the sources and in the bundle. */
export const manifestUrl = (): URL => new URL("../package.json", import.meta.url);

export function readManifest(): CommandManifest {
  const manifest: unknown = JSON.parse(readFileSync(manifestUrl(), "utf8"));
  return { version: textOf(manifest, "version", ""), node: textOf(fieldOf(manifest, "engines"), "node", "*") };
}
