// Checks the packages as users get them: packs each one, looks at the tarball, and installs all of them in an empty project, which must
// run on every supported version of Node. Needs a build. With `--keep <folder>`, the tarballs stay there, to be published. With
// `--readmes`, the first program of each README runs unchanged in an empty folder, with only the packages that the README installs.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkTypes, writeConsumer } from "./packages/consumer.ts";
import { faultsOf } from "./packages/contents.ts";
import { checkOnNodes, checkTooOld } from "./packages/nodes.ts";
import { packAll, type Packed, readRepository } from "./packages/pack.ts";
import { checkReadmes } from "./packages/readmes.ts";
import { check, report } from "./packages/report.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "scripts", "packages", "node_modules", ".bin");
const { values } = parseArgs({ options: { keep: { type: "string" }, readmes: { type: "boolean", default: false } } });

async function lint(packed: Packed, repository: string | null): Promise<boolean[]> {
  const { name, exports } = packed.manifest;
  const faults = faultsOf(packed, repository);
  const hasExports = Object.keys(exports).some((path) => path !== "./package.json");
  const attw = [packed.tarball, "--profile", "esm-only"];
  return [
    report(`contents of ${name}`, faults.length === 0, faults.join("\n")),
    await check(`publint ${name}`, root, join(bin, "publint"), ["run", packed.tarball, "--strict"]),
    ...(hasExports ? [await check(`attw ${name}`, root, join(bin, "attw"), attw)] : []),
  ];
}

async function lintAll(packages: readonly Packed[]): Promise<boolean[]> {
  const repository = readRepository(root);
  const all = await Promise.all(packages.map((packed) => lint(packed, repository)));
  return all.flat();
}

async function checkInstalled(folder: string, packages: readonly Packed[]): Promise<boolean[]> {
  writeConsumer(root, folder, packages);
  const install = ["run", "-s", "pnpm", "--", "--dir", folder, "install", "--prefer-offline"];
  if (!(await check("install all tarballs", root, "npm", install))) return [false];
  return [
    await check("telex --version", folder, join(folder, "node_modules", ".bin", "telex"), ["--version"]),
    await checkTypes(root, folder),
    ...(await checkOnNodes(folder)),
    ...(await checkTooOld(folder, packages)),
  ];
}

async function main(scratch: string): Promise<boolean> {
  const packages = await packAll(root, scratch);
  const results = [
    ...(await lintAll(packages)),
    ...(await checkInstalled(join(scratch, "consumer"), packages)),
    ...(values.readmes ? await checkReadmes(root, scratch, packages) : []),
  ];
  const passed = results.every(Boolean);
  if (passed && values.keep !== undefined) {
    mkdirSync(values.keep, { recursive: true });
    for (const { tarball } of packages) cpSync(tarball, join(values.keep, basename(tarball)));
  }
  return passed;
}

const scratch = mkdtempSync(join(tmpdir(), "telex-packages-"));
try {
  process.exitCode = (await main(scratch)) ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
