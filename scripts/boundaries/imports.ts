import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { type Finding, type Import, type Manifest, readManifest, type Source } from "./source.ts";

/** Packages that core may import. */
const coreImports: readonly string[] = [
  "zod",
  "lru-cache",
  "@telex/files",
  "@telex/ground",
  "@telex/search-terms",
  "@telex/transcripts",
];

/** The only file of the published packages that imports a package. */
const onlyFiles: Readonly<Record<string, string>> = {
  "ipaddr.js": "packages/outgoing/src/addresses.ts",
  "pinyin-pro": "packages/search-terms/src/pinyin.ts",
  sharp: "packages/image-text/src/sharp.ts",
};

/** The only file that imports fast-check: it sets the seed. */
const propertyFile = "tests/support/property.ts";
const useProperty = 'imports "fast-check"; import fc from "test-support/property", where its seed is set';

/** Built-in modules that would tie core to a database. */
const coreRefusedBuiltins: readonly string[] = ["node:sqlite"];

/** The imports allowed in pages: types of core, the pure styles of pictures as text, and the clients, the only access to the server. */
const pageImports: readonly string[] = [
  "@telex/core",
  "@telex/image-text",
  "@telex/auth-server/client",
  "@telex/http/client",
  "@telex/metrics/client",
  "@telex/ws/client",
];

/** Files that a capability's contract.ts may import: shapes and numbers, no behaviour. */
const shapes: readonly string[] = [
  "packages/core/src/ai/conversation-views.ts",
  "packages/core/src/ai/prompt.ts",
  "packages/core/src/records/tool-use.ts",
  "packages/files/src/blobs/bytes.ts",
  "packages/files/src/records.ts",
];

/** Packages that a capability's contract.ts may import. */
const contractPackages: readonly string[] = ["zod", "@telex/ground", "@telex/files"];

/** Folders under core/src and files/src that belong to no capability: every capability may import them. */
const sharedFolders: readonly string[] = ["blobs", "records"];

/** Rules 1 to 4: the allowed imports of each package, and only declared dependencies in published files. */
export function checkImports(root: string, sources: readonly Source[]): Finding[] {
  const manifests = new Map(
    [...new Set(sources.map((source) => source.package))].map((folder) => [folder, readManifest(root, folder)]),
  );
  return sources.flatMap((source) =>
    source.imports.flatMap((entry) => {
      const message = refusal(source, entry, manifests.get(source.package) ?? null);
      return message === null ? [] : [{ path: source.path, line: entry.line, level: "error" as const, message }];
    }),
  );
}

function refusal(source: Source, { specifier }: Import, manifest: Manifest | null): string | null {
  if (specifier.startsWith(".")) return refuseRelative(source, specifier);
  if (specifier === "fast-check" && source.path !== propertyFile) return useProperty;
  if (source.isTest) return null;
  const name = packageOf(specifier);
  if (isBuiltIn(source)) return refuseInPages(specifier, name, manifest);
  return (
    refuseInCore(source, specifier, name) ??
    refuseSecondFile(source, name) ??
    refuseInContract(source, name) ??
    refuseDirection(source, specifier, name) ??
    (isBundled(source) ? refuseUnbundled(specifier, name, manifest) : refuseUndeclared(specifier, name, manifest))
  );
}

function refuseRelative(source: Source, specifier: string): string | null {
  const target = posix.join(posix.dirname(source.path), specifier);
  if (!target.startsWith(`${source.folder}/`)) {
    return `imports "${specifier}" from outside its package; import the package by its name`;
  }
  if (source.isTest) return null;
  const own = capabilityFile(source.path);
  if (own === null) return null;
  const other = capabilityFile(target);
  if (own.file === "contract.ts") {
    const allowed = other?.file === "contract.ts" || shapes.includes(target);
    return allowed ? null : `a contract.ts imports zod, other contracts and ${shapes.join(", ")}; not "${specifier}"`;
  }
  if (own.file === "service.ts") {
    const isShape = other?.file === "contract.ts" || other?.file === "store.ts" || shapes.includes(target);
    const folder = other?.capability ?? "";
    return isShape || folder === own.capability || sharedFolders.includes(folder)
      ? null
      : `a service.ts imports its own folder, contracts, stores and ${sharedFolders.join(", ")}; take what "${specifier}" gives as a dependency, wired in capabilities.ts`;
  }
  return null;
}

/** True for the sources of the command line, whose bundle contains its imports except for declared dependencies. */
const isBundled = ({ path }: Source): boolean => path.startsWith("packages/cli/src/");

/** True for the sources of the pages, whose build contains all imports. */
const isBuiltIn = ({ path }: Source): boolean =>
  path.startsWith("packages/web/src/") && !path.startsWith("packages/web/src/files/");

function refuseInPages(specifier: string, name: string, manifest: Manifest | null): string | null {
  if (name.startsWith("@telex/") && !pageImports.includes(specifier)) {
    return `the pages import ${pageImports.join(", ")} of other packages; not "${specifier}"`;
  }
  if (manifest === null || manifest.devDependencies?.[name] !== undefined) return null;
  return `"${name}" is built into the pages, and no development dependency of ${manifest.name}`;
}

function capabilityFile(path: string): { readonly capability: string; readonly file: string } | null {
  const match = /^packages\/(?:core|files)\/src\/([^/]+)\/(.+)$/.exec(path);
  return match === null ? null : { capability: match[1] ?? "", file: match[2] ?? "" };
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function refuseInCore(source: Source, specifier: string, name: string): string | null {
  if (!source.path.startsWith("packages/core/src/")) return null;
  if (isBuiltin(specifier)) {
    return coreRefusedBuiltins.includes(specifier)
      ? `core knows no database: "${specifier}" belongs into a storage package`
      : null;
  }
  return coreImports.includes(name)
    ? null
    : `core imports ${coreImports.join(", ")} and node: modules only; "${name}" belongs into another package`;
}

function refuseSecondFile(source: Source, name: string): string | null {
  const only = onlyFiles[name];
  return only === undefined || only === source.path || isBundled(source) ? null : `only ${only} imports "${name}"`;
}

function refuseInContract(source: Source, name: string): string | null {
  if (capabilityFile(source.path)?.file !== "contract.ts" || contractPackages.includes(name)) return null;
  return `a contract.ts imports no packages but ${contractPackages.join(" and ")}; not "${name}"`;
}

/** The modules of a transport that plug-ins may use: sockets without the channels of Telex. */
const plugInImports: readonly string[] = ["@telex/ws/acceptor"];

/** Plug-ins of HTTP: they define routes, and embedders who do not mount them load none of their code. */
const ofHttp: readonly string[] = ["auth-server", "mcp", "metrics"];

/** Packages that others import, each of which imports only those before it. */
const libraries: readonly string[] = ["ground", "avatars", "files", "search-terms", "transcripts", "core", "outgoing"];

/** The packages that a package may import, by their names. */
function librariesBelow(folder: string): readonly string[] {
  const place = libraries.indexOf(folder);
  return (place === -1 ? libraries : libraries.slice(0, place)).map((name) => `@telex/${name}`);
}

function refuseDirection(source: Source, specifier: string, name: string): string | null {
  if (!name.startsWith("@telex/") || source.package === "cli") return null;
  if (librariesBelow(source.package).includes(name)) return null;
  if ((source.package.startsWith("bot-") || source.package === "mqtt") && plugInImports.includes(specifier))
    return null;
  if (ofHttp.includes(source.package) && ["@telex/http", "@telex/http/client"].includes(specifier)) return null;
  return `packages depend in one direction, ${libraries.join(" <- ")} <- all others <- cli: ${source.package} must not import "${name}"`;
}

function refuseUnbundled(specifier: string, name: string, manifest: Manifest | null): string | null {
  if (manifest === null || isBuiltin(specifier)) return refuseUndeclared(specifier, name, manifest);
  if ({ ...manifest.dependencies, ...manifest.devDependencies }[name] !== undefined) return null;
  return `"${name}" is neither a dependency of ${manifest.name} nor, to be in its bundle, a development dependency`;
}

function refuseUndeclared(specifier: string, name: string, manifest: Manifest | null): string | null {
  if (isBuiltin(specifier)) {
    return specifier.startsWith("node:") ? null : `write "node:${specifier}" for the built-in module`;
  }
  if (manifest === null || { ...manifest.dependencies, ...manifest.peerDependencies }[name] !== undefined) return null;
  return `"${name}" is neither a dependency nor a peer dependency of ${manifest.name}; users would not have it`;
}
