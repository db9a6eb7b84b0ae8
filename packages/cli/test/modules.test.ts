import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { smallPng } from "./pictures.ts";
import { folder, telex } from "test-support/command";

/** Notes every module that the process loads, imported or required, of the command and of its dependencies. */
const recorder = `
import { registerHooks } from "node:module";
import { writeFileSync } from "node:fs";
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
process.on("exit", () => writeFileSync(process.env.LOADED, loaded.join("\\n")));
`;

async function modulesOf(args: readonly string[]): Promise<string[]> {
  const cwd = await folder();
  const hook = join(cwd, "recorder.mjs");
  const list = join(cwd, "loaded.txt");
  await writeFile(hook, recorder);
  await writeFile(join(cwd, "small.png"), smallPng);
  const { code, stderr } = await telex(args, { cwd, env: { LOADED: list }, node: ["--import", hook] });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return (await readFile(list, "utf8")).split("\n");
}

const packagesOf = (urls: readonly string[]): string[] => [
  ...new Set(
    urls.map((url) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? "").filter((name) => name !== ""),
  ),
];

const heavy = ["h3", "srvx", "zod", "crossws", "mongodb", "consola", "pinyin-pro"];

describe("what a command loads", () => {
  it("is recorded at all: a server needs the heavy packages", async () => {
    const packages = packagesOf(await modulesOf(["user", "add", "alice", "--quiet", "--data", "d"]));
    expect(packages).toContain("zod");
    expect(packages).toContain("commander");
  });

  it.each([["--help"], ["image", "--help"], ["serve", "--help"], ["image", "small.png"]])(
    "telex %s %s loads nothing of servers, schemas or databases",
    async (...args) => {
      const urls = await modulesOf(args.filter((arg) => typeof arg === "string"));
      const packages = packagesOf(urls);
      expect(packages).toContain("commander");
      expect(packages.filter((name) => heavy.includes(name))).toEqual([]);
      expect(urls.filter((url) => /\/packages\/(http|storage-sqlite)\//.test(url))).toEqual([]);
    },
  );

  it("holds sharp only when a picture is read", async () => {
    expect(packagesOf(await modulesOf(["image", "--help"]))).not.toContain("sharp");
    expect(packagesOf(await modulesOf(["image", "small.png"]))).toContain("sharp");
  });
});
