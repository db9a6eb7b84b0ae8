import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { filesWithTexts, withTexts } from "./release/texts.ts";

const manifest = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** A package of ours, with all of ours that npm installs with it. */
function closure(name: string): string[] {
  const { dependencies } = manifest.parse(JSON.parse(read(`packages/${name.replace("@telex/", "")}/package.json`)));
  return [
    name,
    ...Object.keys(dependencies)
      .filter((one) => one.startsWith("@telex/"))
      .flatMap(closure),
  ];
}

const files = ["Dockerfile", "deploy/install.sh", "scripts/test-arm64.sh", "docs/index.md"];

it.each(files)("%s names each package that the command needs as long as none is in the registry", (path) => {
  const text = filesWithTexts.includes(path) ? withTexts(path, read(path), false) : read(path);
  const missing = closure("@telex/cli").filter((name) => !text.includes(`${name.slice(1).replace("/", "-")}-*.tgz`));
  expect(missing).toEqual([]);
});
