// `npx node scripts/version.ts`: turns the files of `.changeset/` into the next version of all packages, and into an entry of CHANGELOG.md, which
// a person then makes readable. Afterwards, `tests/upgrade/record.ts` records what this version writes.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { changeOf, withRelease } from "./release/changelog.ts";

// The tests run it in a copy.
const root = process.cwd();
const manifest = z.looseObject({ version: z.string() });
const mode = z.object({ mode: z.string() });
const versionOf = (): string =>
  manifest.parse(JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8"))).version;

const names = globSync(".changeset/*.md", { cwd: root }).toSorted();
const isEnd = (): boolean => {
  const file = join(root, ".changeset/pre.json");
  return existsSync(file) && mode.parse(JSON.parse(readFileSync(file, "utf8"))).mode === "exit";
};
// After the last candidate, the release may contain no further change.
if (names.length === 0 && !isEnd())
  throw new Error("There is no file in .changeset/: describe a change first, with npx changeset");
const changes = names.map((name) => changeOf(name, readFileSync(join(root, name), "utf8")));

execFileSync("npx", ["-y", "--prefer-offline", "-p", "pnpm@12.18.0", "-c", "changeset version"], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});

const version = versionOf();
const changelog = join(root, "CHANGELOG.md");
writeFileSync(changelog, withRelease(readFileSync(changelog, "utf8"), version, changes));
console.log(
  `All packages have version ${version}. Make its entry in CHANGELOG.md readable, then run tests/upgrade/record.ts`,
);
