import { globSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { run } from "./report.ts";

const manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  exports: z.record(z.string(), z.unknown()).default({}),
  bin: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

/** The fields of a manifest that the checks read. */
export type Manifest = z.infer<typeof manifest>;

/** A package as users get it. */
export interface Packed {
  readonly manifest: Manifest;
  /** The folder of its sources, from the root. */
  readonly directory: string;
  readonly tarball: string;
  /** The folder with what the tarball contains. */
  readonly unpacked: string;
}

/** The address of the repository, as the root manifest names it; null if it names none. */
export const readRepository = (root: string): string | null =>
  z
    .looseObject({ repository: z.string().nullable().default(null) })
    .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).repository;

const readManifest = (path: string): Manifest => manifest.parse(JSON.parse(readFileSync(path, "utf8")));

/** Packs and unpacks every package. Throws if one cannot be packed. */
export async function packAll(root: string, destination: string): Promise<Packed[]> {
  const pack = ["-r", "--filter", "./packages/*", "pack", "--pack-destination", destination];
  const packed = await run(root, "npm", ["run", "-s", "pnpm", "--", ...pack]);
  if (packed.status !== 0) throw new Error(packed.output);
  const directories = globSync("packages/*/package.json", { cwd: root }).map((path) => dirname(path));
  return await Promise.all(directories.toSorted().map((directory) => unpack(root, directory, destination)));
}

async function unpack(root: string, directory: string, destination: string): Promise<Packed> {
  const { name, version } = readManifest(join(root, directory, "package.json"));
  const file = name.replace("@", "").replace("/", "-");
  const tarball = join(destination, `${file}-${version}.tgz`);
  const unpacked = join(destination, file);
  mkdirSync(unpacked);
  const { status, output } = await run(unpacked, "tar", ["xzf", tarball, "--strip-components=1"]);
  if (status !== 0) throw new Error(output);
  return { manifest: readManifest(join(unpacked, "package.json")), directory, tarball, unpacked };
}
