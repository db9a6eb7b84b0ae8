import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/longest-first.ts";

const packages = [
  "core",
  "conformance",
  "image-text",
  "avatars",
  "files",
  "ground",
  "search-terms",
  "transcripts",
  "transfer",
  "outgoing",
  "ai-openai",
  "ai-sdk",
  "auth-server",
  "blobs",
  "bot-onebot",
  "storage-memory",
  "storage-sqlite",
  "http",
  "escpos",
  "metrics",
  "reference",
  "mcp",
  "mcp-client",
  "mqtt",
  "tracing",
  "ws",
  "cli",
  "web",
  "create-telex",
];
const folders = ["examples", "docs", "scripts"];

const exclude = ["**/node_modules/**", "**/dist/**"];
const browser = "packages/web/test/**/*.test.ts";
const crash = "tests/crash/*.test.ts";
const mongo = [
  "packages/storage-mongo/test/**/*.test.ts",
  "packages/auth-server/test/mongo/*.test.ts",
  "packages/cli/test/mongo/*.test.ts",
  "tests/upgrade/mongo.test.ts",
];
/** Tests that `npm test` leaves to `npm test -- long`: kills, upgrades, costs, simulators, and the tools of this repository. */
const long = [
  "packages/bot-onebot/test/cost.test.ts",
  "packages/cli/test/{bot-simulate,mongo,simulate}.test.ts",
  "packages/core/test/{cost,work-cost}.test.ts",
  "packages/create-telex/test/*.test.ts",
  "packages/http/test/cost.test.ts",
  "packages/storage-sqlite/test/{crash,upgrade}.test.ts",
  "examples/{embed,new-parts}.test.ts",
  "scripts/version.test.ts",
];
const litestream = "tests/crash/litestream/*.test.ts";
const cluster = "tests/cluster/*.test.ts";
const nats = "packages/bus-nats/test/**/*.test.ts";
const foreign = ["tests/foreign/**/*.test.ts", "examples/{device,asyncapi}-python/**/*.test.ts"];

/** Files run one after another in the same workers. Each worker loads the sources once, which saves a third of the CPU time. */
const isolate = false;

const project = (name: string, folder: string) => ({
  extends: true as const,
  test: {
    name,
    isolate,
    include: [`${folder}/**/*.test.ts`],
    exclude: [...exclude, browser, crash, ...mongo, ...foreign, ...long],
  },
});

export default defineConfig({
  // Workspace packages are tested from their sources; workers get the condition from here.
  ssr: { resolve: { conditions: ["telex-source"] } },
  test: {
    environment: "node",
    passWithNoTests: true,
    // One more than processors: many tests wait for a process, a timer or the disk.
    maxWorkers: availableParallelism() + 1,
    // A busy machine is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongestFirst },
    coverage: { include: ["packages/*/src/**/*.ts"] },
    projects: [
      ...packages.map((name) => project(name, `packages/${name}`)),
      ...folders.map((name) => project(name, name)),
      // What fuzzing has found, as cases of its own.
      project("fuzz", "tests/crash/fuzz"),
      // What the crash tests judge by.
      project("model", "tests/crash/model"),
      // What each kind of user does first, from nothing: `npm test -- users`.
      project("users", "tests/users"),
      // Opens what released versions have written.
      project("upgrade", "tests/upgrade"),
      // Takes a quarter of the CPU time of the other tests: `npm test -- long`.
      { extends: true as const, test: { name: "long", isolate, include: long, exclude } },
      // Kills servers, fills disks, traces system calls: `npm test -- crash`.
      { extends: true as const, test: { name: "crash", include: [crash], exclude } },
      // Needs Python and Go: `npm test -- foreign`.
      {
        extends: true as const,
        test: { name: "foreign", include: foreign, exclude, globalSetup: "tests/foreign/support/setup.ts" },
      },
      // Needs a MongoDB server, or Python for a server that is made for tests: `npm test -- mongo`.
      {
        extends: true as const,
        test: {
          name: "mongo",
          include: mongo,
          exclude,
          globalSetup: "tests/support/provide-mongo.ts",
          // The server for tests is written in Python: ten thousand messages take it a while.
          testTimeout: 180_000,
        },
      },
      // Needs Go, which builds the server of NATS: `npm test -- nats`.
      {
        extends: true as const,
        test: { name: "nats", include: [nats], exclude, globalSetup: "packages/bus-nats/test/setup.ts" },
      },
      // Three servers on a database and on NATS, which are killed: `npm test -- cluster`.
      {
        extends: true as const,
        test: { name: "cluster", include: [cluster], exclude, globalSetup: "tests/cluster/setup.ts" },
      },
      // Needs Litestream: `npm test -- litestream`.
      { extends: true as const, test: { name: "litestream", include: [litestream], exclude } },
      // Needs Chromium: `npm test -- browser`.
      {
        extends: true as const,
        test: {
          name: "browser",
          isolate,
          include: [browser],
          exclude,
        },
      },
    ],
  },
});
