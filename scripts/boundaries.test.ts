import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkTree } from "./boundaries.ts";

const roots: string[] = [];

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** A script that imports everything, so that every export counts as used. */
const importAll = (paths: readonly string[]): string =>
  paths
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `import * as all from "../packages/${path}";`)
    .join("\n");

/** The findings for a tree with only these files under `packages/`, one line for each. */
const check = (files: Readonly<Record<string, string>>): string[] =>
  checkAlone({ ...files, "../scripts/all.ts": importAll(Object.keys(files)) });

/** Like {@link check}, but without other files that import these. */
function checkAlone(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "telex-boundaries-"));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, "packages", path)), { recursive: true });
    writeFileSync(join(root, "packages", path), text);
  }
  return checkTree(root).map(({ path, line, level, message }) => `${path.slice(9)}:${line} ${level} ${message}`);
}

const manifest = (name: string, fields: object = {}): string =>
  JSON.stringify({ name: `@telex/${name}`, exports: { ".": { "telex-source": "./src/index.ts" } }, ...fields });

test("a tree that keeps the rules passes", () => {
  const findings = check({
    "core/package.json": manifest("core", { dependencies: { "@telex/ground": "*", zod: "4" } }),
    "core/src/index.ts":
      'export { size } from "./images/size.ts";\nexport type { MessageStore } from "./messages/store.ts";',
    "core/src/images/size.ts": "/** Width. */\nexport const size = 1;",
    "image-text/package.json": manifest("image-text", { peerDependencies: { sharp: "0" } }),
    "image-text/src/sharp.ts": 'import "sharp";',
    "core/src/messages/contract.ts":
      'import { z } from "zod";\nimport { id } from "@telex/ground/contract";\nexport { z, id };',
    "core/src/messages/store.ts": "/** S. */\nexport interface MessageStore {\n  /** F. */\n  find(): void;\n}",
    "core/src/messages/service.ts": 'import "./store.ts";\nimport "../records/users.ts";\nimport "node:crypto";',
    "core/src/index.test.ts": 'import "@telex/storage-memory";\nlet count = 0;',
    "http/package.json": manifest("http", { dependencies: { "@telex/core": "*", h3: "2" } }),
    "http/src/index.ts": 'import "@telex/core/contract";\nimport "h3";',
    "cli/src/main.ts": 'import "@telex/http";',
  });
  expect(findings).toEqual([]);
});

test.each(["h3", "crossws", "mongodb", "commander", "consola", "unstorage", "node:sqlite"])(
  "core must not import %s",
  (name) => {
    expect(check({ "core/src/live.ts": `\nimport { x } from "${name}";` })).toEqual([
      expect.stringMatching(/^core\/src\/live\.ts:2 error core /),
    ]);
  },
);

test.each([
  ["a type import", 'import type { A } from "h3";'],
  ["a re-export", 'export { a } from "h3";'],
  ["a lazy import", 'export const load = () => import("h3");'],
  ["an import type", 'export type A = import("h3").A;'],
])("%s counts as an import", (_form, text) => {
  expect(check({ "core/src/live.ts": text })).toHaveLength(1);
});

test("sharp and pinyin-pro each have one file", () => {
  expect(
    check({
      "image-text/src/gray.ts": 'import sharp from "sharp";',
      "search-terms/src/send.ts": 'import { pinyin } from "pinyin-pro";',
      "search-terms/src/pinyin.ts": 'import { pinyin } from "pinyin-pro";',
    }),
  ).toEqual([
    'image-text/src/gray.ts:1 error only packages/image-text/src/sharp.ts imports "sharp"',
    'search-terms/src/send.ts:1 error only packages/search-terms/src/pinyin.ts imports "pinyin-pro"',
  ]);
});

test("tests import fast-check with its seed", () => {
  expect(check({ "core/test/fuzz.test.ts": 'import fc from "fast-check";' })).toEqual([
    'core/test/fuzz.test.ts:1 error imports "fast-check"; import fc from "test-support/property", where its seed is set',
  ]);
});

test("a contract imports zod, other contracts and shapes only", () => {
  const findings = check({
    "core/package.json": manifest("core", { dependencies: { "@telex/ground": "*" } }),
    "core/src/users/contract.ts": [
      'import "@telex/ground/contract";',
      'import "../groups/contract.ts";',
      'import "node:crypto";',
      'import "./store.ts";',
      'import "../time/clock.ts";',
    ].join("\n"),
  });
  expect(findings.map((finding) => finding.split(" ")[0])).toEqual([
    "core/src/users/contract.ts:3",
    "core/src/users/contract.ts:4",
    "core/src/users/contract.ts:5",
  ]);
});

test("a service may import the contract and the store of another capability", () => {
  expect(
    check({ "core/src/messages/service.ts": 'import "../groups/store.ts";\nimport "../groups/contract.ts";' }),
  ).toEqual([]);
});

test.each(["../groups/rooms.ts", "../groups/service.ts", "../groups/helpers.ts"])(
  "a service must not import %s of another capability",
  (target) => {
    expect(check({ "core/src/messages/service.ts": `import "${target}";` })).toEqual([
      expect.stringContaining("take what"),
    ]);
  },
);

test.each([
  ["core", "@telex/http"],
  ["search-terms", "@telex/core"],
  ["core", "@telex/outgoing"],
  ["core", "@telex/storage-memory"],
  ["http", "@telex/ws"],
  ["storage-memory", "@telex/http"],
  ["ws", "@telex/cli"],
])("%s must not import %s", (folder, name) => {
  expect(check({ [`${folder}/src/a.ts`]: `import "${name}";` })).toHaveLength(1);
});

test("the command line contains its development dependencies, and declares the others", () => {
  const files = {
    "cli/package.json": manifest("cli", { dependencies: { sharp: "1" }, devDependencies: { commander: "1" } }),
    "cli/src/main.ts": 'import "node:fs";\nimport "sharp";\nimport "commander";\nimport "consola";',
  };
  expect(check(files)).toEqual([expect.stringMatching(/^cli\/src\/main\.ts:4 error "consola" is neither /)]);
});

test("a relative import must not leave its package, not even in a test", () => {
  expect(check({ "http/test/a.test.ts": 'import "../../core/src/errors.ts";' })).toEqual([
    expect.stringContaining("from outside its package"),
  ]);
});

test("the folders of tests at the root take the packages by their names, as everybody does", () => {
  const files = {
    "../tests/crash/kill.test.ts":
      'import "./support/life.ts";\nimport "@telex/http";\nimport "../../packages/cli/src/main.ts";',
    "../tests/crash/support/life.ts": 'import "../world.ts";\nimport "test-support/command";',
    "../tests/support/command.ts": 'import "../../packages/cli/test/support.ts";',
  };
  expect(check(files)).toEqual([
    expect.stringMatching(/:3 error imports .* from outside its package/),
    expect.stringMatching(/:1 error imports .* from outside its package/),
  ]);
});

test("a published file imports declared dependencies only", () => {
  const files = { "ws/src/a.ts": 'import "ws";', "ws/test/a.test.ts": 'import "ws";' };
  expect(check({ ...files, "ws/package.json": manifest("ws", { devDependencies: { ws: "8" } }) })).toEqual([
    expect.stringContaining('"ws" is neither a dependency nor a peer dependency of @telex/ws'),
  ]);
  expect(check({ ...files, "ws/package.json": manifest("ws", { dependencies: { ws: "8" } }) })).toEqual([]);
});

test.each([
  "export default 1;",
  'export * from "./b.ts";',
  'export * as b from "./b.ts";',
  "let count = 0;",
  "export let count = 0;",
  "var count = 0;",
  "const seen = new Map();",
  "export const seen = new Set<string>();",
  "const queue: string[] = [];",
  "const byName: Record<string, string> = {};",
])("a module must not hold `%s`", (text) => {
  expect(check({ "http/src/a.ts": text })).toEqual([expect.stringMatching(/^http\/src\/a\.ts:1 error /)]);
});

test.each([
  'const codes = new Map([["a", 1]]);',
  'const names = ["a"];',
  "const none: readonly string[] = [];",
  "const none: ReadonlySet<string> = new Set();",
])("`%s` is a table, not state", (text) => {
  expect(check({ "http/src/a.ts": text })).toEqual([]);
});

test("a suppression without a reason fails", () => {
  const findings = check({
    "http/src/a.ts": [
      "// @ts-expect-error",
      "// @ts-expect-error: the library's type is too narrow",
      "// oxlint-disable-next-line no-console",
      "// oxlint-disable-next-line no-console -- the only place that prints",
    ].join("\n"),
  });
  expect(findings.map((finding) => finding.split(" ")[0])).toEqual(["http/src/a.ts:1", "http/src/a.ts:3"]);
});

test("every name that an entry point exports has a doc comment where it is declared", () => {
  const findings = check({
    "http/package.json": manifest("http"),
    "http/src/index.ts": 'export { a } from "./a.ts";\nexport { b as c } from "./b.ts";\nexport const d = 1;',
    "http/src/a.ts": "/** Documented. */\nexport const a = 1;\nexport const inner = 1;",
    "http/src/b.ts": "\n// not a doc comment\nexport function b() {}",
  });
  expect(findings).toEqual([
    'http/src/b.ts:3 error "c" is exported by packages/http/src/index.ts and has no doc comment',
    'http/src/index.ts:3 error "d" is exported by packages/http/src/index.ts and has no doc comment',
  ]);
});

test("every member of a store contract or port has a doc comment", () => {
  const findings = check({
    "core/src/users/store.ts": "export interface UserStore {\n  /** Finds. */\n  find(): void;\n  take(): void;\n}",
    "core/src/time.ts": "export interface Clock {\n  now(): number;\n}",
    "core/src/other.ts": "export interface Other {\n  now(): number;\n}",
  });
  expect(findings).toEqual([
    expect.stringMatching(/^core\/src\/time\.ts:2 error "Clock\.now"/),
    expect.stringMatching(/^core\/src\/users\/store\.ts:4 error "UserStore\.take"/),
  ]);
});

test("the pages take nothing of other packages but types and the client, and declare what is built into them", () => {
  const findings = check({
    "web/package.json": manifest("web", {
      devDependencies: { preact: "11", "@telex/http": "*", "@telex/ws": "*", "@telex/core": "*" },
    }),
    "web/src/good.tsx":
      'import "preact";\nimport "@telex/http/client";\nimport "@telex/ws/client";\nimport type { A } from "@telex/core";',
    "web/src/bad.tsx": 'import "react";\nimport "@telex/http";',
    "web/src/files/index.ts": 'import "preact";',
  });
  expect(findings).toEqual([
    expect.stringMatching(/^web\/src\/bad\.tsx:1 error "react" is built into the pages/),
    expect.stringMatching(
      /^web\/src\/bad\.tsx:2 error the pages import @telex\/core, @telex\/image-text, @telex\/auth-server\/client/,
    ),
    expect.stringMatching(/^web\/src\/files\/index\.ts:1 error "preact" is neither/),
  ]);
});

test("a name that no other file imports is not exported", () => {
  const findings = checkAlone({
    "http/src/a.ts": [
      "export const a = 1, used = 2;",
      "export function b() {}",
      "export type C = string;",
      "export interface D {}",
      'export { used as e } from "./c.ts";',
      "const f = 1;\nexport { f };",
    ].join("\n"),
    "http/src/b.ts": 'import { used } from "./a.ts";\nexport { used };',
    "http/src/c.ts": "export const used = 3;",
    "http/src/d.ts": 'import { used } from "./b.ts";\nvoid used;',
  });
  expect(findings).toEqual(
    ["1 a", "2 b", "3 C", "4 D", "5 e", "7 f"].map((found) => {
      const [line = "", name = ""] = found.split(" ");
      return `http/src/a.ts:${line} error nothing imports "${name}": do not export it`;
    }),
  );
});

test.each([
  ["a type import", 'import type { name } from "./a.ts";'],
  ["an import under another name", 'import { name as other } from "./a.ts";'],
  ["a re-export", 'export { name } from "./a.ts";'],
  ["an import of everything", 'import * as all from "./a.ts";'],
  ["a lazy import", 'const load = () => import("./a.ts");'],
  ["an import type", 'type A = import("./a.ts").name;'],
  ["the address of a worker", 'const worker = new URL("a.ts", import.meta.url);'],
])("%s uses an export", (_form, text) => {
  expect(checkAlone({ "http/src/a.ts": "export const name = 1;", "http/src/b.test.ts": text })).toEqual([]);
});

test("what a package publishes, and what tests export, need not be imported here", () => {
  const findings = checkAlone({
    "http/package.json": manifest("http"),
    "http/src/index.ts": "/** N. */\nexport const name = 1;",
    "http/test/support.ts": "export const name = 1;",
  });
  expect(findings).toEqual([]);
});

test.each([
  ["a list of any length", "z.array(z.literal(1))"],
  ["a list of any length within others", "z.object({ all: z.array(z.literal(1)).min(1) })"],
  ["a text of any length", "z.string().min(1)"],
  ["a text of any length", "z.string().max(9)"],
  ["an address of any length", "z.url().optional()"],
  ["anything that is made a number, also a list of any length", "z.coerce.number().max(9)"],
  ["a text whose expression repeats something", "z.string().regex(/^a+$/)"],
  ["a text whose expression may stand anywhere in it", "z.string().regex(/a/)"],
])("the input of an operation must not be %s", (_name, schema) => {
  const contract = `const used = ${schema};\nexport const c = { send: { input: z.object({ used }), output: ${schema} } };`;
  expect(check({ "core/src/messages/contract.ts": contract }).filter((line) => line.includes("any length"))).toEqual([
    expect.stringMatching(/^core\/src\/messages\/contract\.ts:1 error /),
  ]);
});

test("what an operation answers has no bound, also if a field of its input has the same name", () => {
  const contract =
    "const message = z.array(z.string());\n" +
    "export const c = { send: { input: z.object({ message: shortText(9) }), output: message } };";
  expect(check({ "core/src/messages/contract.ts": contract }).filter((line) => line.includes("any length"))).toEqual(
    [],
  );
});

test.each([
  ["bot-onebot/src/wire/events.ts", 2],
  ["bot-onebot/src/wire/fields.ts", 0],
  ["bot-onebot/src/wire/events.test.ts", 0],
  ["bot-onebot/src/connect/kept.ts", 0],
  ["http/src/request/body.ts", 2],
])("schemas of %s have %i texts and lists without a bound", (path, count) => {
  const text =
    "const a = z.array(z.literal(1));\nconst b = z.string();\nconst c = z.string().refine(isShort);\nconst d = z.string().regex(/^[a-f]{32}$/);";
  expect(check({ [path]: text }).filter((line) => line.includes("any length"))).toHaveLength(count);
});

/** The findings about expressions in a tree with these verdicts. */
const checkExpressions = (text: string, verdicts: object = { linear: [], bounded: {} }): string[] =>
  check({
    "core/src/text.ts": text,
    "../scripts/boundaries/expressions.json": JSON.stringify(verdicts),
  }).filter((line) => line.includes("scripts/expressions.ts"));

test.each([
  ["an expression that repeats something", "const a = /b*$/;"],
  ["one that repeats without an upper bound", "const a = /b{2,}/;"],
  ["one that is put together", 'const a = new RegExp("b");'],
])("%s needs a verdict", (_name, text) => {
  expect(checkExpressions(text)).toEqual([
    expect.stringMatching(/^core\/src\/text\.ts:1 error .+ has not been checked/),
  ]);
});

test("an expression that is known to be linear, or that has a reason, or that repeats nothing passes", () => {
  const verdicts = { linear: ["/a+/"], bounded: { "/b*$/": "The text has at most 16 characters." } };
  expect(checkExpressions("const a = [/a+/, /b*$/, /^c{3}$/];", verdicts)).toEqual([]);
});

test("a verdict about an expression that is gone is refused", () => {
  expect(checkExpressions("const a = 1;", { linear: ["/a+/"], bounded: {} })).toEqual([
    expect.stringContaining("no source has /a+/ any more"),
  ]);
});

test.each([
  ["a port must not know a capability", "storage/storage.ts", "../messages/store.ts", "ports"],
  ["a capability must not know the instance", "messages/create.ts", "../instance/options.ts", "capabilities"],
  ["no folder knows an entry point", "instance/telex.ts", "../index.ts", "instance"],
])("%s, not even for a type", (_rule, path, specifier, layer) => {
  const files = {
    [`core/src/${path}`]: `import type { A } from "${specifier}";`,
    "core/src/messages/store.ts": "",
    "core/src/instance/options.ts": "",
    "core/src/index.ts": "",
  };
  expect(check(files)).toContainEqual(expect.stringMatching(`^core/src/${path}:1 error ${layer} must not import `));
});

test("folders, and files, must not import each other in a circle", () => {
  const findings = check({
    "core/src/ai/reply.ts": 'import "../rooms/views.ts";',
    "core/src/rooms/views.ts": 'import "../users/names.ts";',
    "core/src/users/names.ts": 'import type { A } from "../ai/model.ts";',
    "core/src/ai/model.ts": "",
    "blobs/src/one.ts": 'import "./two.ts";',
    "blobs/src/two.ts": 'import type { B } from "./one.ts";',
  });
  expect(findings).toEqual([
    "blobs/src/one.ts:1 error is in a circle of imports: packages/blobs/src/one.ts, packages/blobs/src/two.ts",
    "core/src/ai:1 error is in a circle of imports: packages/core/src/ai, packages/core/src/rooms, packages/core/src/users",
  ]);
});

test("at most 45 imports lead from one capability into another", () => {
  const importing = (count: number) => ({
    "core/src/users/contract.ts": "",
    "core/src/rooms/contract.ts": "",
    "core/src/rooms/views.ts": Array.from({ length: count }, () => 'import "../users/names.ts";').join("\n"),
    "core/src/users/names.ts": "",
  });
  expect(check(importing(45))).toEqual([]);
  expect(check(importing(46))).toEqual([
    expect.stringMatching(/^core\/src\/rooms\/views\.ts:46 error .*the 46th such import of 45/),
  ]);
});

test("core passes the dependencies that are needed, not all of them", () => {
  const findings = check({ "core/src/rooms/views.ts": "f({ ...deps, a });\ng({ ...own });\nh(...parts);" });
  expect(findings).toEqual([
    'core/src/rooms/views.ts:1 error spreads "deps": pass the parts that the receiver declares',
    'core/src/rooms/views.ts:3 error spreads "parts": pass the parts that the receiver declares',
  ]);
});

test("published code reads no private field and no symbol of another package", () => {
  const findings = check({
    "http/src/app.ts":
      'import { H3 } from "h3";\nconst app = new H3();\n/** R. */\nexport const routes = app["~routes"];\n' +
      '/** M. */\nexport const { "~middleware": middleware } = app;\n' +
      '/** H. */\nexport const handled = Symbol.for("h3.handled");\n/** B. */\nexport const brand = Symbol.for("telex.brand");',
    "http/package.json": manifest("http", { dependencies: { h3: "2" } }),
    "http/test/app.test.ts": 'import { H3 } from "h3";\nconst routes = new H3()["~routes"];',
  });
  const rest = "of another package: use what the package documents";
  expect(findings).toEqual([
    `http/src/app.ts:4 error reads "~routes", a private field ${rest}`,
    `http/src/app.ts:6 error reads "~middleware", a private field ${rest}`,
    `http/src/app.ts:8 error uses Symbol.for("h3.handled") ${rest}`,
  ]);
});
