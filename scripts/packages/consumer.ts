import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Packed } from "./pack.ts";
import { report, run } from "./report.ts";

/** Creates an empty project that depends on every tarball and on their optional peers. */
export function writeConsumer(root: string, folder: string, packages: readonly Packed[]): void {
  const tarballs = Object.fromEntries(packages.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]));
  const peers = Object.fromEntries(packages.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies)));
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

/** Compiles a program that imports every export with its declarations. Errors in declarations of other packages do not count. */
export async function checkTypes(root: string, folder: string): Promise<boolean> {
  const { status, output } = await run(folder, join(root, "node_modules", ".bin", "tsc"), ["-p", "."]);
  const ours = output.split("\n").filter((line) => /^types\.mts|\/node_modules\/@telex\//.test(line));
  const ran = status === 0 || output.includes(": error TS");
  return report("type-check every export", ran && ours.length === 0, ran ? ours.join("\n") : output);
}
