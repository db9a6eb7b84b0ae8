// Argument: the address of the repository in a browser. Writes it into the root manifest, and the fields derived from it into
// the manifest of every package. The registry accepts provenance only for a package that names the repository it was built in.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { originOf } from "./packages/repository.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const url = z
  .url({ protocol: /^https$/ })
  .parse(process.argv[2])
  .replace(/(\.git)?\/?$/, "");

function update(path: string, fields: object): void {
  const manifest = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(join(root, path), "utf8")));
  writeFileSync(join(root, path), `${JSON.stringify({ ...manifest, ...fields }, null, 2)}\n`);
}

update("package.json", { repository: url });
for (const path of globSync("packages/*/package.json", { cwd: root })) update(path, originOf(url, dirname(path)));
console.log(`Every package names ${url} as its repository.`);
