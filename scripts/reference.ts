import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { summarizeOperations } from "../packages/http/scripts/operations.ts";
import { makePages } from "./reference/pages.ts";

/** Writes the committed files that are generated from the contracts: `npm run reference`. Tests check that they are current. */
const root = fileURLToPath(new URL("..", import.meta.url));
const pages = await makePages(async (path) => await readFile(join(root, path), "utf8"));
for (const [path, text] of pages) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}
await writeFile(join(root, "packages/http/operations.txt"), summarizeOperations());
console.log(`reference: ${pages.size} pages, packages/http/operations.txt`);
