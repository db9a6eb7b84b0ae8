import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isPublished } from "./release/published.ts";
import { filesWithTexts, withTexts } from "./release/texts.ts";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");
const written = (path: string, setting: boolean): string => withTexts(path, read(path), setting);

describe.each(filesWithTexts)("the texts about installing in %s", (path) => {
  it("are those of the setting; if not, run `npx node scripts/texts.ts`", () => {
    expect(read(path)).toBe(written(path, isPublished));
  });

  it("name a clone and packed packages before the packages are published, and neither afterwards", () => {
    const unpublished = /not in the registry yet|尚未发布|packed|in a clone of the repository, until/i;
    expect(written(path, false)).toMatch(unpublished);
    expect(written(path, true)).not.toMatch(unpublished);
  });

  it("are the same after going to the other setting and back", () => {
    expect(withTexts(path, written(path, !isPublished), isPublished)).toBe(read(path));
  });
});

it("after publishing, every way to install names a package of the registry", () => {
  expect(written("docs/index.md", true)).toContain("npm install --global @telex/cli\ntelex serve --demo\n");
  expect(written("deploy/install.sh", true)).toContain("set -- @telex/cli\n");
  expect(written("packages/create-telex/src/install-command.ts", true)).toContain('installCommand = "npm install"');
});

it("a mark without a text is reported", () => {
  expect(() => withTexts("x.md", "<!-- text: nothing -->\n<!-- /text -->\n", true)).toThrow("names the text nothing");
  expect(() => withTexts("x.md", "plain\n", true)).toThrow("has no mark");
});
