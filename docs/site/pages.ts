import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Pages outside of `docs/` that are part of the site. */
const outside = [
  "README.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "examples/README.md",
  "examples/device-{python,esp32}/README.md",
  "tests/vectors/*/README.md",
  "tests/upgrade/README.md",
  "tests/users/*.md",
];

/** Where a page of the repository is on the site. Paths are relative to the root and end with `.md`. */
export function siteOf(path: string): string {
  if (path === "docs/site/index.md") return "index.md";
  if (path === "docs/index.md") return "start.md";
  if (path === "README.md") return "readme.md";
  return path
    .replace(/^docs\//, "")
    .replace(
      /(^|\/)(README|SECURITY|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT)\.md$/,
      (_, slash: string, name: string) => slash + (name === "README" ? "index.md" : `${name.toLowerCase()}.md`),
    );
}

/** The pages of the site, as paths from the root of the repository. */
export const pagePaths = (): string[] =>
  globSync(["docs/**/*.md", ...outside], {
    cwd: root,
    exclude: ["**/node_modules", "**/.vitepress", "docs/source", "docs/README.md"],
  }).toSorted();

/** Everything else that VitePress would take for a page. */
export const excluded = [
  "**/node_modules/**",
  "**/dist/**",
  ".changeset/**",
  "packages/**",
  "tests/*.md",
  "tests/{crash,cluster,foreign,support}/**",
  "scripts/**",
  "deploy/**",
  "docs/README.md",
  "bench/**",
  "AGENTS.md",
  "packages/*/CHANGELOG.md",
  ".github/**",
];

/** The page that shows a file of the repository. Its address has no dot, because VitePress would take the rest for a type of file. */
export const sourcePage = (path: string): string => path.replaceAll(".", "-");

/** Where a link of a page leads on the site; null if it leaves the repository, or stays on the page. */
export function targetOf(page: string, link: string): string | null {
  if (/^([a-z]+:|#|\/)/.test(link)) return null;
  const [path = "", anchor] = link.split("#");
  const file = posix.join(posix.dirname(page), decodeURIComponent(path)).replace(/\/$/, "");
  if (!existsSync(join(root, file))) return null;
  const full = statSync(join(root, file)).isDirectory() ? `${file}/README.md` : file;
  const target = full.endsWith(".md") ? siteOf(full) : `source/${sourcePage(full)}.md`;
  return `/${target}${anchor === undefined ? "" : `#${anchor}`}`;
}

const titleOf = (path: string): string => /^# +(.+)$/m.exec(readFileSync(join(root, path), "utf8"))?.[1] ?? path;

/** A page with `order` in its front matter comes before those without one. */
const orderOf = (path: string): number =>
  Number(/^---\n[\s\S]*?^order: (\d+)$[\s\S]*?^---$/m.exec(readFileSync(join(root, path), "utf8"))?.[1] ?? 1000);

interface Group {
  readonly text: string;
  readonly has: (path: string) => boolean;
}

const extend = /^docs\/(guide\/)?(writing-a-.*|own-people|embedding|testing)\.md$|^examples\/README/;
const operate = /^docs\/guide\/(administration|backup|install|metrics|monitoring|proxies|upgrad).*\.md$/;
const project =
  /^(SECURITY|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT)\.md$|^docs\/(security\/|open-questions|stability|decisions\/README)/;

/** The groups of the sidebar. A page belongs to the first one that has it, so a new page needs no entry anywhere. */
const english: readonly Group[] = [
  { text: "For you", has: (path) => path.startsWith("docs/for/") || path === "docs/beside.md" },
  { text: "Start", has: (path) => path === "docs/index.md" || path.startsWith("docs/tutorials/") },
  {
    text: "Guide",
    has: (path) => path.startsWith("docs/guide/") && !extend.test(path) && !operate.test(path),
  },
  { text: "Extend", has: (path) => extend.test(path) },
  { text: "Reference", has: (path) => /^docs\/(reference\/|errors)/.test(path) },
  { text: "Project", has: (path) => project.test(path) },
  { text: "Operate", has: (path) => operate.test(path) || /^docs\/[^/]+\.md$/.test(path) },
];

const chinese: readonly Group[] = [{ text: "教程", has: (path) => path.startsWith("docs/zh/tutorials/") }];

/** A group of the sidebar, as VitePress reads it. */
interface SidebarGroup {
  readonly text: string;
  readonly items: { readonly text: string; readonly link: string }[];
}

function sidebarOf(groups: readonly Group[], paths: readonly string[]): SidebarGroup[] {
  const groupOf = (path: string): Group | undefined => groups.find(({ has }) => has(path));
  return groups.map((group) => ({
    text: group.text,
    items: paths
      .filter((path) => groupOf(path) === group)
      .map((path) => ({
        text: titleOf(path),
        link: `/${siteOf(path).replace(/(index)?\.md$/, "")}`,
        order: orderOf(path),
      }))
      .toSorted((a, b) => a.order - b.order || a.text.localeCompare(b.text, "en"))
      .map(({ text, link }) => ({ text, link })),
  }));
}

/** The sidebars by the beginning of the address. */
export const sidebars = () => {
  const paths = pagePaths();
  const isChinese = (path: string): boolean => path.startsWith("docs/zh/");
  return {
    english: sidebarOf(
      english,
      paths.filter((path) => !isChinese(path) && path !== "docs/site/index.md"),
    ),
    chinese: sidebarOf(chinese, paths.filter(isChinese)),
  };
};
