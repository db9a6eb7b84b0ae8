import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { packageFoldersOf } from "./licenses.ts";

const versions = z.record(z.string(), z.string()).default({});
const direct = z.record(z.string(), z.object({ version: z.string() })).default({});

/** The parts of the lockfile that this file reads. */
const lockfile = z.object({
  importers: z.record(
    z.string(),
    z.object({ dependencies: direct, optionalDependencies: direct, devDependencies: direct }),
  ),
  packages: z.record(
    z.string(),
    z.object({ resolution: z.object({ integrity: z.string() }), os: z.array(z.string()).optional() }),
  ),
  snapshots: z.record(z.string(), z.object({ dependencies: versions, optionalDependencies: versions })),
});

type Lockfile = z.output<typeof lockfile>;

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

const manifestIn = (folder: string) => manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));

/** `name@version` without the suffix for peers. */
const plainKey = (key: string): string => key.replace(/\(.*/, "");

/** The package URL of `name@version`. */
const purlOf = (key: string): string => `pkg:npm/${plainKey(key).replace(/^@/, "%40")}`;

/** The keys of the snapshots that a package needs, without those of the workspace. */
const neededBy = ({ dependencies, optionalDependencies }: Lockfile["snapshots"][string]): string[] =>
  Object.entries({ ...dependencies, ...optionalDependencies })
    // Packages of types are not part of a program.
    .filter(([name]) => !name.startsWith("@types/"))
    .map(([name, version]) => `${name}@${version}`);

/** These snapshots and all their dependencies. */
function closureOf({ snapshots }: Lockfile, first: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...first];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const snapshot = snapshots[key];
    if (snapshot === undefined || found.has(key)) continue;
    found.add(key);
    waiting.push(...neededBy(snapshot));
  }
  return found;
}

const keysOf = (listed: Lockfile["importers"][string]["dependencies"]): string[] =>
  Object.entries(listed)
    .filter(([, { version }]) => !version.startsWith("link:"))
    .map(([name, { version }]) => `${name}@${version}`);

/** The packages that the pages contain. Their sources name them. */
function keysOfPages({ importers }: Lockfile, folder: string): string[] {
  const sources = globSync("src/**/*.{ts,tsx}", { cwd: folder, exclude: (name) => name.endsWith(".test.ts") });
  const named = new Set(
    sources.flatMap((name) =>
      Array.from(
        readFileSync(join(folder, name), "utf8").matchAll(/(?:from |import\()"((?:@[^/"]+\/)?[^/".]+)/g),
        ([, found]) => found,
      ),
    ),
  );
  const listed = Object.entries(importers["packages/web"]?.devDependencies ?? {});
  return keysOf(Object.fromEntries(listed.filter(([name]) => named.has(name))));
}

/** A package in the list. */
interface Entry {
  readonly key: string;
  readonly license?: string | undefined;
  /** True for packages of only some installations: another platform, MongoDB, NATS. */
  readonly isOptional?: boolean;
}

function licensesOf(license: string | undefined) {
  if (license === undefined) return {};
  return { licenses: [/ (?:AND|OR|WITH) /.test(license) ? { expression: license } : { license: { id: license } }] };
}

function componentOf({ packages }: Lockfile, { key, license, isOptional = false }: Entry) {
  const at = key.lastIndexOf("@");
  const [scope, rest] = key.slice(0, at).split("/");
  const found = packages[key];
  const digest = found?.resolution.integrity.replace(/^sha512-/, "") ?? null;
  return {
    type: "library",
    "bom-ref": purlOf(key),
    ...(rest === undefined ? { name: scope } : { group: scope, name: rest }),
    version: key.slice(at + 1),
    scope: isOptional || found?.os !== undefined ? "optional" : "required",
    ...(digest !== null && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    }),
    ...licensesOf(license),
    purl: purlOf(key),
  };
}

/** The packages in the command, in its pages, and those that are installed with it. */
function entriesOf(locked: Lockfile, root: string, modules: readonly string[]): readonly Entry[] {
  const importer = locked.importers["packages/cli"] ?? { dependencies: {}, optionalDependencies: {} };
  const closure = (keys: readonly string[], isOptional = false): Entry[] =>
    Array.from(closureOf(locked, keys), (key) => ({ key: plainKey(key), isOptional }));
  const bundled = packageFoldersOf(modules).map((folder) => {
    const { name, version, license } = manifestIn(folder);
    return { key: `${name}@${version}`, license };
  });
  const workspaceNames = new Set(
    modules.flatMap((id) => /[\\/]packages[\\/]([\w-]+)[\\/]src[\\/]/.exec(id)?.[1] ?? []),
  );
  const ofWorkspace = [...workspaceNames, "web"].map((name) => {
    const { name: full, version, license } = manifestIn(join(root, "packages", name));
    return { key: `${full}@${version}`, license };
  });
  // The first entry of a package counts.
  return [
    ...ofWorkspace,
    ...bundled,
    ...closure(keysOfPages(locked, join(root, "packages", "web"))),
    ...closure(keysOf(importer.dependencies)),
    ...closure(keysOf(importer.optionalDependencies), true),
  ];
}

/** The dependencies between the packages of the list. */
function dependenciesIn({ snapshots }: Lockfile, refs: ReadonlySet<string>) {
  const needs = new Map(Array.from(refs, (ref) => [ref, new Set<string>()]));
  for (const [key, snapshot] of Object.entries(snapshots)) {
    for (const needed of neededBy(snapshot).map(purlOf)) if (refs.has(needed)) needs.get(purlOf(key))?.add(needed);
  }
  return Array.from(needs, ([ref, needed]) => ({ ref, dependsOn: [...needed].toSorted() }));
}

/**
 * The software bill of materials of the command, as JSON of CycloneDX 1.6: the packages that these modules of the bundle come from,
 * those of the pages, and those that are installed with it, with the digests of the lockfile. It contains neither times nor paths, so that
 * the same sources produce the same file.
 * @param root the folder of the repository
 */
export function sbomOf(root: string, modules: readonly string[]): string {
  const locked = lockfile.parse(parse(readFileSync(join(root, "pnpm-lock.yaml"), "utf8")));
  const entries = new Map<string, Entry>();
  for (const entry of entriesOf(locked, root, modules)) if (!entries.has(entry.key)) entries.set(entry.key, entry);
  const { name, version, license } = manifestIn(join(root, "packages", "cli"));
  const self = componentOf(locked, { key: `${name}@${version}`, license });
  entries.delete(`${name}@${version}`);
  const components = [...entries.values()]
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map((entry) => componentOf(locked, entry));
  const refs = components.map((component) => component.purl);
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...self, type: "application" } },
    components,
    dependencies: [{ ref: self.purl, dependsOn: refs }, ...dependenciesIn(locked, new Set(refs))],
  };
  return `${JSON.stringify(bom, null, 1)}\n`;
}
