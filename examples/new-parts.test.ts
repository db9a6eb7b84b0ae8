import { execFile } from "node:child_process";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { folder, forAllTests } from "test-support/command";

const root = fileURLToPath(new URL("..", import.meta.url));
const execute = promisify(execFile);

/** The sources that a change of core and HTTP needs, without what is built of them. */
const copied = [
  "ground",
  "avatars",
  "files",
  "search-terms",
  "transcripts",
  "core",
  "http",
  "blobs",
  "image-text",
  "storage-memory",
];

/** A copy of the sources with changes applied. */
async function copyWith(...patches: readonly string[]): Promise<string> {
  const copy = await folder();
  for (const name of copied) {
    await cp(join(root, "packages", name), join(copy, "packages", name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => basename(path) !== "dist",
    });
  }
  for (const name of ["tsconfig.base.json", "tsconfig.build.json", "tsconfig.test.json", "package.json"]) {
    await cp(join(root, name), join(copy, name));
  }
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  for (const patch of patches)
    await execute("git", ["apply", "-C1", join(root, "examples", patch, "change.patch")], { cwd: copy });
  return copy;
}

/** Compiles HTTP, and everything that it is made of. */
const compile = (copy: string): Promise<unknown> =>
  execute(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-b", "packages/http/tsconfig.build.json"],
    {
      cwd: copy,
    },
  );

const program = `
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { createHttp } from "../src/index.ts";

const telex = await createTelex({ storage: createMemoryStorage(), blobs: createMemoryBlobs(), images: createSharpEngine() });
const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
const headers = { authorization: "Bearer " + token };
const response = await createHttp(telex).fetch(new Request("http://telex.test" + process.argv[2], { headers }));
console.log(await response.text());
await telex.close();
`;

/** The response of the changed sources to a GET. */
async function ask(copy: string, path: string): Promise<unknown> {
  const main = join(copy, "packages/http/test/ask.ts");
  await writeFile(main, program);
  const { stdout } = await execute(process.execPath, ["--conditions=telex-source", main, path]);
  return JSON.parse(stdout);
}

const filesOf = (patch: string): number => patch.match(/^diff /gm)?.length ?? 0;

/** Both changes, compiled together: compiling is most of the work. */
const changed = forAllTests(async () => {
  const copy = await copyWith("new-operation", "new-capability");
  await compile(copy);
  return copy;
}, 180_000);

it("a capability is added with its contract, its service and a row in each table", async () => {
  const answer = await ask(changed(), "/external/api/v1/status");
  expect(JSON.stringify(answer)).toMatch(/^\{"code":200,"msg":"success","data":\{"now":"\d{4}-\d\d-\d\dT/);
});

it("an operation without state is added in three files, and does not compile without its row in HTTP", async () => {
  expect(filesOf(await readFile(join(root, "examples/new-operation/change.patch"), "utf8"))).toBe(3);
  const copy = changed();
  expect(await ask(copy, "/api/generate/algorithms")).toEqual({ code: 200, msg: "success", data: ["gray", "border"] });
  const routes = join(copy, "packages/http/src/routes.ts");
  const text = await readFile(routes, "utf8");
  await writeFile(routes, text.replace(/^ +algorithms:.*\n/m, ""));
  const failed: unknown = await compile(copy).catch((cause: unknown) => cause);
  expect(failed).toHaveProperty("stdout");
  expect(JSON.stringify(failed)).toContain("'algorithms' is missing");
}, 180_000);
