import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the package that a file of a dependency belongs to. */
const packageFolder = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

function entryOf(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const field = (name: string): string => {
    const value: unknown = typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, name) : undefined;
    return typeof value === "string" ? value : "";
  };
  const texts = globSync("{LICEN[CS]E,licen[cs]e,COPYING}*", { cwd: folder }).toSorted();
  const text = texts.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n");
  return `${field("name")} ${field("version")} (${field("license")})\n\n${text}\n`;
}

/** The folders of the packages that these modules come from. */
export const packageFoldersOf = (modules: readonly string[]): readonly string[] => [
  ...new Set(modules.flatMap((id) => packageFolder.exec(id)?.[1] ?? [])),
];

/** The names, versions and licenses of the packages that these modules come from, as their licenses require. */
export function licensesOf(modules: readonly string[]): string {
  const entries = packageFoldersOf(modules).map(entryOf).toSorted();
  return `This command contains the following packages.\n\n${entries.join(`\n${"-".repeat(80)}\n\n`)}`;
}
