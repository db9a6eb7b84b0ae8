import { readFileSync } from "node:fs";
import { fieldOf, textOf } from "./input/unknown.ts";

/** What the package of the command says of itself. */
interface CommandManifest {
  readonly version: string;
  /** The versions of Node that it is tested on, such as `^24.15.0 || >=26.10.0`. */
  readonly node: string;
}

/** The package.json: one folder above this file, as source and in the bundle. */
export const manifestUrl = (): URL => new URL("../package.json", import.meta.url);

/** Reads the package.json. */
export function readManifest(): CommandManifest {
  const manifest: unknown = JSON.parse(readFileSync(manifestUrl(), "utf8"));
  return { version: textOf(manifest, "version", ""), node: textOf(fieldOf(manifest, "engines"), "node", "*") };
}
