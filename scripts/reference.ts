import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makePages } from "./reference/pages.ts";

/** Writes the pages that are generated from the contracts: `npm run reference`. A test checks that they are current. */
const root = fileURLToPath(new URL("..", import.meta.url));
const pages = await makePages(async (path) => await readFile(join(root, path), "utf8"));
for (const [path, text] of pages) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}
console.log(`reference: ${pages.size} pages`);
