// Checks the packages as users get them: packs each one, lints the tarball, and imports every export from a fresh
// installation of all tarballs. Needs a build.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const smoke = join(root, "scripts", "test-nodes", "smoke.ts");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface Packed {
  readonly manifest: Manifest;
  readonly tarball: string;
}

/** Prints one line about a check and, where it failed, all that it said. */
function report(name: string, passed: boolean, output: string): boolean {
  console.log(`${passed ? "ok  " : "FAIL"} ${name}`);
  if (!passed) console.log(output);
  return passed;
}

/** Runs a command that passes by exiting with 0. */
function check(name: string, cwd: string, command: string, args: readonly string[]): boolean {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  return report(name, status === 0, [stdout, stderr, error?.message].filter(Boolean).join("\n"));
}

/** Compiles a program that imports every export, declarations included. Mistakes in those of other packages do not count. */
function checkTypes(folder: string): boolean {
  const { status, stdout, stderr } = spawnSync(join(bin, "tsc"), ["-p", "."], { cwd: folder, encoding: "utf8" });
  const ours = stdout.split("\n").filter((line) => /^types\.mts|\/node_modules\/@telex\//.test(line));
  const ran = status === 0 || stdout.includes(": error TS");
  return report("type-check every export", ran && ours.length === 0, ran ? ours.join("\n") : stdout + stderr);
}

function readManifest(path: string): Manifest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- pnpm has just packed it, so its shape is right
  return JSON.parse(readFileSync(path, "utf8")) as Manifest;
}

const pnpm = (name: string, cwd: string, ...args: readonly string[]): boolean =>
  check(name, root, "npm", ["run", "-s", "pnpm", "--", "--dir", cwd, ...args]);

function pack(folder: string, destination: string): Packed {
  const { name, version } = readManifest(join(folder, "package.json"));
  if (!pnpm(`pack ${name}`, folder, "pack", "--pack-destination", destination))
    throw new Error(`${name} cannot be packed`);
  const tarball = join(destination, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
  const unpacked = join(destination, basename(folder));
  mkdirSync(unpacked);
  check(`unpack ${name}`, unpacked, "tar", ["xzf", tarball, "--strip-components=1"]);
  return { manifest: readManifest(join(unpacked, "package.json")), tarball };
}

/** An empty project that depends on every tarball and on every optional peer of theirs. */
function writeConsumer(folder: string, packages: readonly Packed[]): void {
  const tarballs = Object.fromEntries(packages.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]));
  const peers = Object.fromEntries(packages.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {})));
  const entries = packages.flatMap(({ manifest }) =>
    Object.keys(manifest.exports)
      .filter((path) => path !== "./package.json")
      .map((path) => manifest.name + path.slice(1)),
  );
  mkdirSync(folder);
  const write = (name: string, content: object | string): void =>
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  write("package.json", { private: true, type: "module", dependencies: { ...peers, ...tarballs } });
  write("pnpm-workspace.yaml", { packages: ["."], overrides: tarballs });
  write("import.mjs", entries.map((entry) => `import ${JSON.stringify(entry)};\n`).join(""));
  write("types.mts", entries.map((entry, i) => `export type * as e${i} from ${JSON.stringify(entry)};\n`).join(""));
  write("tsconfig.json", {
    compilerOptions: {
      module: "nodenext",
      strict: true,
      noEmit: true,
      types: ["node"],
      typeRoots: [join(root, "node_modules", "@types")],
    },
    files: ["types.mts"],
  });
}

function checkInstalled(folder: string, packages: readonly Packed[]): boolean[] {
  if (!pnpm("install all tarballs", folder, "install", "--prefer-offline")) return [false];
  const commands = packages.flatMap(({ manifest: { name: owner, bin: own = {} } }) =>
    Object.entries(own).map(([name, file]) => ({ name, file: join(folder, "node_modules", owner, file) })),
  );
  return [
    check("import every export", folder, process.execPath, ["import.mjs"]),
    checkTypes(folder),
    ...commands.flatMap(({ name, file }) => checkCommand(folder, name, file)),
  ];
}

/** Starts the command as a shell finds it, and has it serve, send and draw a picture from what was installed. */
const checkCommand = (folder: string, name: string, file: string): boolean[] => [
  check(`${name} --version`, folder, join(folder, "node_modules", ".bin", name), ["--version"]),
  check(`${name} serve --demo`, folder, process.execPath, [smoke, file, join(folder, "data")]),
];

function main(scratch: string): boolean {
  const folders = globSync("packages/*/package.json", { cwd: root }).map((path) => join(root, path, ".."));
  const packages = folders.toSorted().map((folder) => pack(folder, scratch));
  const linted = packages.flatMap(({ manifest, tarball }) => [
    check(`publint ${manifest.name}`, root, join(bin, "publint"), ["run", tarball, "--strict"]),
    check(`attw ${manifest.name}`, root, join(bin, "attw"), [tarball, "--profile", "esm-only"]),
  ]);
  const consumer = join(scratch, "consumer");
  writeConsumer(consumer, packages);
  return [...linted, ...checkInstalled(consumer, packages)].every(Boolean);
}

const scratch = mkdtempSync(join(tmpdir(), "telex-packages-"));
try {
  process.exitCode = main(scratch) ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
