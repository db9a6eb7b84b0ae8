import { globSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { namesForeignPackage } from "./packages/contents.ts";
import { missingIn } from "./packages/readmes.ts";
import { originOf } from "./packages/repository.ts";

describe("a text that tells people to use the package telex of the registry", () => {
  const runner = "npx";

  it.each([
    `Run \`${runner} telex serve\`.`,
    `${runner} -y telex`,
    `${runner} --yes telex image`,
    "npm install telex",
    "npm i -g telex",
    "pnpm dlx telex",
    "bunx telex",
  ])("is found: %s", (text) => {
    expect(namesForeignPackage(text)).toBe(true);
  });

  it.each([
    "npm install @telex/cli",
    "npm install --global @telex/cli && telex serve",
    "npm create telex",
    "npm install telex-plugin-of-yours",
    "npm install ./telex/dist",
    "npm test; telex serve",
  ])("is not found in: %s", (text) => {
    expect(namesForeignPackage(text)).toBe(false);
  });
});

describe("what the reader of a README installs", () => {
  const readme = (install: string): string =>
    `\`\`\`sh\n${install}\n\`\`\`\n\n\`\`\`ts run\nimport { text } from "node:stream/consumers";
import { createSqlite } from "@telex/storage-sqlite/engine";\nimport sharp from "sharp";\n\`\`\`\n`;

  it("is what its first program imports", () => {
    expect(missingIn(readme("npm install @telex/storage-sqlite sharp"))).toEqual([]);
    expect(missingIn(readme("npm install --save-dev @telex/core"))).toEqual(["@telex/storage-sqlite", "sharp"]);
    expect(missingIn("```sh\nnpm install --global @telex/cli\n```\n")).toEqual([]);
  });
});

describe("where the sources of a package are", () => {
  it("is what the root manifest says", () => {
    expect(originOf("https://code.example/telex", "packages/core")).toEqual({
      repository: { type: "git", url: "git+https://code.example/telex.git", directory: "packages/core" },
      homepage: "https://code.example/telex#readme",
      bugs: "https://code.example/telex/issues",
    });
  });

  it("is nowhere if the root manifest does not say it", () => {
    expect(originOf(null, "packages/core")).toEqual({});
  });
});

it("each package is a row of packages/README.md, with the description of its manifest", () => {
  const folder = fileURLToPath(new URL("../packages/", import.meta.url));
  const read = (path: string): string => readFileSync(posix.join(folder, path), "utf8");
  const manifest = z.object({ name: z.string(), description: z.string() });
  const due = globSync("*/package.json", { cwd: folder }).map((path) => {
    const { name, description } = manifest.parse(JSON.parse(read(path)));
    return `${name} in ${dirname(path)}: ${description}`;
  });
  const rows = read("README.md").matchAll(/^\| \[`(.+?)`\]\((.+?)\/README\.md\) +\| (.*\S) +\|$/gm);
  const written = [...rows].map(([, name, path, description]) => `${name} in ${path}: ${description}`);
  expect(written.toSorted()).toEqual(due.toSorted());
});
