import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { budgets } from "./budgets.ts";
import type { Packed } from "./pack.ts";
import { missingIn } from "./readmes.ts";
import { originOf } from "./repository.ts";

/** The fields that all manifests share. */
const common = { license: "MIT", author: "The Telex authors", type: "module", publishConfig: { access: "public" } };

/**
 * Matches advice to run or install the package `telex`, which is not part of this project. `telex` in a path, a scope or another name does not
 * match, and neither does a module that its own package calls `telex`.
 */
const foreignName =
  /\b(?:npx|npm (?:exec|x|i|install|add)|pnpm (?:dlx|add)|yarn (?:dlx|add)|bunx)(?: -{1,2}[\w-]+)* telex(?![\w/-])/;

/** True if a text advises people to install or run the package `telex` of the registry, which is not part of this project. */
export const namesForeignPackage = (text: string): boolean => foreignName.test(text);

/** The faults of a package as users get it, as sentences. */
export function faultsOf(packed: Packed, repository: string | null): string[] {
  const files = globSync("**/*", { cwd: packed.unpacked, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(packed.unpacked.length + 1));
  return [...manifestFaults(packed, repository), ...fileFaults(packed, files), ...sizeFaults(packed)];
}

function manifestFaults({ manifest, directory }: Packed, repository: string | null): string[] {
  const wrong = Object.entries(common).filter(([name, value]) => {
    const got = manifest[name];
    return name === "publishConfig" ? !isDeepStrictEqual(got ?? value, value) : got !== value;
  });
  const origin = originOf(repository, directory);
  const moved = (["repository", "homepage", "bugs"] as const).filter(
    (name) => !isDeepStrictEqual(manifest[name], origin[name]),
  );
  const { keywords, description } = manifest;
  return [
    ...wrong.map(([name, value]) => `${name} must be ${JSON.stringify(value)}`),
    ...moved.map((name) => `${name} must be ${JSON.stringify(origin[name])}: run scripts/set-repository.ts`),
    ...(Array.isArray(keywords) && keywords.length >= 3 && keywords.includes("telex")
      ? []
      : ["keywords must be at least three, with telex among them"]),
    ...(typeof description === "string" && description.length >= 20 ? [] : ["description must say what it is for"]),
  ];
}

function fileFaults({ manifest: { name }, unpacked }: Packed, files: readonly string[]): string[] {
  const missing = ["LICENSE", "README.md"].filter((file) => !files.includes(file));
  const unwanted = files.filter((file) => /\.tsbuildinfo$|\.test\.[cm]?[jt]s$|(^|\/)(node_modules|test)\//.test(file));
  const read = (file: string): string => readFileSync(join(unpacked, file), "utf8");
  const foreign = files.filter((file) => /\.(md|[cm]?js|json|html)$/.test(file) && namesForeignPackage(read(file)));
  const readme = files.includes("README.md") ? read("README.md") : "";
  return [
    ...missing.map((file) => `${file} is missing`),
    ...unwanted.map((file) => `${file} must not be published`),
    ...foreign.map((file) => `${file} advises people to use the package telex, which is not part of this project`),
    ...(readme.startsWith(`# ${name}\n`) ? [] : [`README.md must begin with "# ${name}"`]),
    ...missingIn(readme).map((needed) => `README.md: "npm install" must name ${needed}, which its program imports`),
    ...(/^```(ts|sh) run/m.test(readme) ? [] : ["README.md must have an example that the tests run"]),
  ];
}

function sizeFaults({ manifest: { name }, tarball }: Packed): string[] {
  const budget = budgets[name];
  if (budget === undefined) return [`it has no budget in scripts/packages/budgets.ts`];
  const size = Math.ceil(statSync(tarball).size / 1024);
  return size <= budget ? [] : [`its tarball has ${size} KiB, and its budget is ${budget} KiB`];
}
