import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { changeOf, withRelease } from "./release/changelog.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = z.looseObject({ version: z.string() });
const versionIn = (folder: string, path: string): string =>
  manifest.parse(JSON.parse(readFileSync(join(folder, path), "utf8"))).version;
const manifests = globSync("packages/*/package.json", { cwd: root });

/** The files that the release program reads, in their own folder. */
function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), "telex-version-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const others = globSync(
    ["{examples/*,bench,tests,tests/{foreign,support},docs}/package.json", ".changeset/{*.json,pre/*.md}"],
    {
      cwd: root,
    },
  );
  const files = ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", "CHANGELOG.md"];
  for (const path of [...files, ...manifests, ...others]) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  cpSync(join(root, "scripts/version.ts"), join(folder, "scripts/version.ts"));
  cpSync(join(root, "scripts/release"), join(folder, "scripts/release"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  execFileSync("git", ["init", "--quiet", folder]);
  return folder;
}

it("all packages have the version at the top of the changelog", () => {
  const [, newest] = /^## (\S+)$/m.exec(readFileSync(join(root, "CHANGELOG.md"), "utf8")) ?? [];
  const others = manifests.filter((path) => versionIn(root, path) !== newest);
  expect([newest, others]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+(-rc\.\d+)?$/), []]);
});

it("each change that waits for a release can go into the changelog", () => {
  for (const path of globSync(".changeset/*.md", { cwd: root }))
    expect(changeOf(path, readFileSync(join(root, path), "utf8")).text).not.toBe("");
});

it("the next version of all packages is made from the changes, on a copy", () => {
  const folder = copy();
  const before = versionIn(root, "packages/core/package.json");
  const change = `---\n"@telex/core": patch\n---\n\nRooms have doors.\n`;
  writeFileSync(join(folder, ".changeset/doors.md"), change);
  execFileSync(process.execPath, ["scripts/version.ts"], { cwd: folder, stdio: "pipe" });
  const versions = new Set(manifests.map((path) => versionIn(folder, path)));
  // Of a candidate the next candidate, of a release the next patch.
  const next = before.replace(/\d+$/, (last) => String(Number(last) + 1));
  expect([...versions]).toEqual([next]);
  const changelog = readFileSync(join(folder, "CHANGELOG.md"), "utf8");
  expect(changelog).toContain(`<!-- releases -->\n\n## ${next}\n\n### Mended\n\nRooms have doors.\n\n## ${before}\n`);
});

const isCandidate = existsSync(join(root, ".changeset/pre.json"));

it.runIf(isCandidate)("after the last candidate, the release has its version, also without a change, on a copy", () => {
  const folder = copy();
  const mode = join(folder, ".changeset/pre.json");
  writeFileSync(mode, readFileSync(mode, "utf8").replace('"pre"', '"exit"'));
  execFileSync(process.execPath, ["scripts/version.ts"], { cwd: folder, stdio: "pipe" });
  const before = versionIn(root, "packages/core/package.json");
  expect(versionIn(folder, "packages/core/package.json")).toBe(before.replace(/-.*/, ""));
  expect(existsSync(mode)).toBe(false);
});

it("a release is not entered twice, and needs a text for each change", () => {
  const changelog = "# Changelog\n\n<!-- releases -->\n\n## 1.0.0\n";
  expect(() => withRelease(changelog, "1.0.0", [])).toThrow("has 1.0.0 already");
  expect(() => changeOf("doors.md", '---\n"@telex/core": minor\n---\n')).toThrow("doors.md must name packages");
  const changes = [
    { bump: "patch", text: "One." },
    { bump: "major", text: "Two." },
  ] as const;
  expect(withRelease(changelog, "1.1.0", changes)).toContain(
    "## 1.1.0\n\n### Breaking\n\nTwo.\n\n### Mended\n\nOne.\n",
  );
});
