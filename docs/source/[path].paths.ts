import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { linksOf } from "../test/page.ts";
import { pagePaths, root, sourcePage } from "../site/pages.ts";

/** The files of the repository that pages link to. */
function linkedFiles(): string[] {
  const targets = pagePaths().flatMap((page) =>
    linksOf(readFileSync(join(root, page), "utf8"))
      .filter((link) => !/^([a-z]+:|#|\/)/.test(link))
      .map((link) => posix.join(posix.dirname(page), link.split("#")[0] ?? "")),
  );
  return [...new Set(targets)].filter(
    (path) => !path.endsWith(".md") && existsSync(join(root, path)) && statSync(join(root, path)).isFile(),
  );
}

const languages: Readonly<Record<string, string>> = {
  ts: "ts",
  py: "python",
  patch: "diff",
  json: "json",
  yaml: "yaml",
  yml: "yaml",
  conf: "nginx",
};

const show = (file: string): string => {
  const language = languages[file.slice(file.lastIndexOf(".") + 1)] ?? "text";
  return `\`\`\`\`${language}\n${readFileSync(join(root, file), "utf8").trimEnd()}\n\`\`\`\`\n`;
};

export default {
  paths: () =>
    linkedFiles().map((file) => ({ params: { path: sourcePage(file), file }, content: `# ${file}\n\n${show(file)}` })),
};
