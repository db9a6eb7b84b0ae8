import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { smallPng } from "./pictures.ts";
import { folder, serve, telex } from "test-support/command";
import { listAt, parse, textAt } from "test-support/json";

/** Records every file that the process imports or requires. */
const recorder = `
import { registerHooks } from "node:module";
import { writeFileSync } from "node:fs";
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
process.on("exit", () => writeFileSync(process.env.LOADED, loaded.join("\\n")));
`;

/** A folder for a command, and the files that the command loads. */
async function recording() {
  const cwd = await folder();
  const hook = join(cwd, "recorder.mjs");
  const list = join(cwd, "loaded.txt");
  await writeFile(hook, recorder);
  return {
    options: { cwd, env: { LOADED: list }, node: ["--import", hook] },
    files: async () => (await readFile(list, "utf8")).split("\n"),
  };
}

async function filesOf(args: readonly string[]): Promise<string[]> {
  const { options, files } = await recording();
  await writeFile(join(options.cwd, "small.png"), smallPng);
  const { code, stderr } = await telex(args, options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return await files();
}

/** The modules in a file of the bundle, from its source map. Code of the bundler itself has none. */
async function sourcesOf(url: string): Promise<string[]> {
  const map = new URL(`${url}.map`);
  return existsSync(map) ? listAt(parse(await readFile(map, "utf8")), "sources").map(String) : [];
}

const modulesOf = async (args: readonly string[]): Promise<string[]> => await modulesIn(await filesOf(args));

/** The loaded sources: the modules in files of the bundle, and the files outside of it. */
async function modulesIn(files: readonly string[]): Promise<string[]> {
  const inside = files.filter((url) => url.startsWith("file:") && url.includes("/packages/cli/dist/"));
  const sources = await Promise.all(inside.map(sourcesOf));
  return [...sources.flat(), ...files.filter((url) => !inside.includes(url))];
}

const packagesOf = (modules: readonly string[]): string[] => [
  ...new Set(modules.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])),
];

const heavy = ["h3", "srvx", "zod", "crossws", "mongodb", "pinyin-pro"];

/** Small commands load the levels of consola, but not its prompts, boxes and colours. */
const lateConsola = /\/consola\/dist\/(?!core\.mjs$)/;

/** Modules of Node that take longer to load than a small command takes in total. */
const slowBuiltins = ["child_process", "crypto", "fs/promises", "net", "http"].flatMap((name) => [
  name,
  `node:${name}`,
]);

describe("what a command loads", () => {
  it("is recorded at all: a server needs the heavy packages", async () => {
    const modules = await modulesOf(["user", "add", "alice", "--quiet", "--data", "d"]);
    expect(packagesOf(modules)).toContain("zod");
    expect(packagesOf(modules)).toContain("commander");
    expect(modules.filter((path) => path.includes("/storage-sqlite/"))).not.toEqual([]);
  });

  it.each([["--help"], ["image", "--help"], ["serve", "--help"], ["image", "small.png"]])(
    "telex %s %s loads nothing of servers, schemas or databases",
    async (...args) => {
      const modules = await modulesOf(args.filter((arg) => typeof arg === "string"));
      const packages = packagesOf(modules);
      expect(packages).toContain("commander");
      expect(packages.filter((name) => heavy.includes(name))).toEqual([]);
      expect(modules.filter((path) => /\/(http|storage-sqlite)\/src\//.test(path))).toEqual([]);
      expect(modules.filter((path) => lateConsola.test(path))).toEqual([]);
      expect(modules.filter((path) => slowBuiltins.includes(path))).toEqual([]);
    },
  );

  it("holds sharp only when a picture is read", async () => {
    expect(packagesOf(await modulesOf(["image", "--help"]))).not.toContain("sharp");
    expect(packagesOf(await modulesOf(["image", "small.png"]))).toContain("sharp");
  });

  it("holds the dictionary of pinyin and sharp only where they are needed, also in a server", async () => {
    const added = packagesOf(await modulesOf(["user", "add", "张三", "--quiet", "--data", "d"]));
    expect(added).not.toContain("pinyin-pro");
    const { options, files } = await recording();
    const server = await serve(["--data", "d"], options);
    expect(await server.stop()).toBe(0);
    const served = packagesOf(await modulesIn(await files()));
    expect(served.filter((name) => ["pinyin-pro", "sharp"].includes(name))).toEqual([]);
  });

  it("is a few files: the bundle, and of other packages only the binary of sharp", async () => {
    const files = await filesOf(["image", "small.png"]);
    const outside = files.filter((url) => url.startsWith("file:") && !url.includes("/packages/cli/"));
    expect(outside.filter((url) => !/\/@img\/|\/recorder\.mjs$/.test(url))).toEqual([]);
    expect(files.filter((url) => url.startsWith("file:")).length).toBeLessThan(30);
  });
});

describe("a stack trace of the bundle", () => {
  it("names the functions, and with source maps the lines of TypeScript", async () => {
    const plain = await telex(["image", "missing.png", "--verbose"]);
    expect(plain.code).toBe(1);
    expect(plain.stderr).toMatch(/at (async )?readBytes \(.*\/dist\/print-.*\.cjs:\d+/);
    const mapped = await telex(["image", "missing.png", "--verbose"], { node: ["--enable-source-maps"] });
    expect(mapped.stderr).toMatch(/at (async )?readBytes \(.*\/src\/picture\/read\.ts:\d+/);
  });
});

describe("a server from the bundle", () => {
  it("draws large pictures in a thread, whose file is in the bundle, too", async () => {
    const server = await serve(["--demo"], { cwd: await folder() });
    const token = textAt(server.printed, "users", 0, "token");
    const picture = fileURLToPath(new URL("../../image-text/test/golden/tall.png", import.meta.url));
    const { stdout } = await telex(["file", "upload", picture, "--json", "--url", server.url, "--token", token]);
    const url = new URL(`/api/generate/imagetotext?col=200&file_id=${textAt(parse(stdout), "file_id")}`, server.url);
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const printed = await telex(["image", picture, "--col", "200", "--crlf"]);
    expect(printed.stdout.length).toBeGreaterThan(16_384);
    expect(await response.text()).toBe(printed.stdout);
    expect(await server.stop()).toBe(0);
  });
});
