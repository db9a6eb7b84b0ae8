import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { renderText } from "../src/sharp.ts";

const built = new URL("../dist/sharp.js", import.meta.url);
const tall = new URL("golden/tall.png", import.meta.url);

/** Runs a program in a process of its own, with the path of the picture as its argument. */
async function run(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "--eval",
    program,
    fileURLToPath(tall),
  ]);
  return stdout;
}

/** Prints the text of the picture as the expression makes it. */
const program = (text: string): string => `
  import { readFile } from "node:fs/promises";
  import { createSharpEngine, renderText } from ${JSON.stringify(built.href)};
  const options = { col: 200, algo: "gray" };
  const bytes = await readFile(process.argv[1]);
  process.stdout.write(await (${text}));
`;

describe("the built image engine", () => {
  it("renders in its thread what the source renders, and lets the process end by itself", async () => {
    const expected = await renderText(await readFile(tall), { col: 200, algo: "gray" });
    expect(await run(program("createSharpEngine().text(bytes, options)"))).toBe(expected);
    expect(await run(program("renderText(bytes, options)"))).toBe(expected);
  });

  it("loads nothing but sharp, its own files and what sharp needs", async () => {
    const loaded = await run(`
      import { registerHooks } from "node:module";
      const urls = [];
      registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
      await import(${JSON.stringify(built.href)});
      console.log(urls.join("\\n"));
    `);
    const packages = loaded.match(/(?<=node_modules\/)(?!\.pnpm)(@[^/]+\/)?[^/]+/g) ?? [];
    expect(packages).toContain("sharp");
    expect(packages.filter((name) => !/^(sharp|@img\/.*|detect-libc|semver)$/.test(name))).toEqual([]);
  });
});
