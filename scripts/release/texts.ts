import { posix } from "node:path";

/** A text in two forms. `{index}` is the link to "Telex in five minutes" from its page. */
interface Text {
  /** Until the packages are in the registry. */
  readonly clone: string;
  /** Once the packages are in the registry. */
  readonly registry: string;
}

const note = (sentence: string): Text => ({ clone: sentence, registry: "" });
const code = (...lines: readonly string[]): string => ["```sh", ...lines, "```"].join("\n");

const nodes = "Node 22.23, 24.15, 26.10 or newer";
const inClone =
  "The packages are not in the registry yet: [make them in a clone]({index}#start-it), and type `npm install <clone>/packed/*.tgz`";
const inCloneChinese =
  "软件包尚未发布到 npm：请[在仓库的克隆中制作]({index}#start-it)，并用 `npm install <clone>/packed/*.tgz`";

const ofPages = {
  start: {
    clone: [
      "In a clone of the repository, with Node 20 or newer:",
      code("npm start"),
      `The packages are not in the registry yet. To have \`telex\` outside of the clone, with ${nodes}, make them there and install the command:`,
      code(
        "npm run packed",
        "npm install --global ./packed/telex-cli-*.tgz ./packed/telex-web-*.tgz ./packed/telex-reference-*.tgz",
        "telex serve --demo",
      ),
      "Wherever a page says `npm install` with a package of Telex, type `npm install <clone>/packed/*.tgz` instead.",
    ].join("\n\n"),
    registry: [
      `With ${nodes}:`,
      code("npm install --global @telex/cli", "telex serve --demo"),
      "In a clone of the repository, `npm start` does the same, with Node 20 or newer.",
    ].join("\n\n"),
  },
  "start-chinese": {
    clone: `软件包尚未发布到 npm，请在仓库的克隆中运行：\n\n${code("npm start")}`,
    registry: code("npm install --global @telex/cli", "telex serve --demo"),
  },
  site: {
    clone: `In a clone of the repository, until the packages are in the registry:\n\n${code("npm start")}`,
    registry: code("npm install --global @telex/cli", "telex serve --demo"),
  },
  service: {
    clone: `Install ${nodes}, with npm. The packages are not in the registry yet, so make them in a clone of this repository:\n\n${code("npm run packed")}\n\nThen, as root, in the same folder:`,
    registry: `Install ${nodes}, with npm, and get the folder \`deploy\` of this repository, for example as a clone. Then, as root, in the clone:`,
  },
  update: {
    clone: "To update, run both commands in a clone of the newer version.",
    registry: "To update, run the command in a clone of the newer version.",
  },
  project: {
    clone: [
      "The packages are not in the registry yet. Until they are, make them in a clone of the repository with `npm run packed`, and type",
      "`node <clone>/packages/create-telex/bin/create-telex.js` instead of `npm create telex` and `npm install <clone>/packed/*.tgz` instead of `npm install`.",
    ].join("\n"),
    registry: "",
  },
  "project-chinese": note(
    "软件包尚未发布到 npm。在此之前，请在仓库的克隆中用 `npm run packed` 制作软件包，并用 `node <clone>/packages/create-telex/bin/create-telex.js` 代替 `npm create telex`，用 `npm install <clone>/packed/*.tgz` 代替 `npm install`。",
  ),
  install: note(`${inClone} instead.`),
  "install-chinese": note(`${inCloneChinese} 代替。`),
} as const satisfies Readonly<Record<string, Text>>;

const ofPrograms = {
  "install.sh": {
    clone: `packed=$(cd .. && pwd)/packed
  set -- "$packed"/telex-cli-*.tgz "$packed"/telex-web-*.tgz "$packed"/telex-reference-*.tgz
  [ -e "$1" ] || { echo "Make the packages first, in this checkout and not as root: npm run packed" >&2; exit 1; }`,
    registry: `set -- @telex/cli`,
  },
  "create-telex": {
    clone: `// The folder of the packages in this clone.
export const installCommand = \`npm install \${fileURLToPath(new URL("../../../packed", import.meta.url))}/*.tgz\`;`,
    registry: `export const installCommand = "npm install";`,
  },
  "create-telex-imports": { clone: 'import { fileURLToPath } from "node:url";', registry: "" },
} as const satisfies Readonly<Record<string, Text>>;

const texts = new Map<string, Text>(Object.entries({ ...ofPages, ...ofPrograms }));

/** The files with such texts. */
export const filesWithTexts: readonly string[] = [
  "docs/index.md",
  "docs/embedding.md",
  "docs/site/index.md",
  "docs/guide/install.md",
  "docs/guide/mongodb.md",
  "docs/tutorials/embedding.md",
  "docs/tutorials/programs.md",
  "docs/tutorials/receipt-printer.md",
  "docs/tutorials/room-with-a-bot.md",
  "docs/zh/index.md",
  "docs/zh/tutorials/embedding.md",
  "docs/zh/tutorials/programs.md",
  "docs/zh/tutorials/receipt-printer.md",
  "docs/zh/tutorials/room-with-a-bot.md",
  "deploy/install.sh",
  "packages/create-telex/src/install-command.ts",
];

const opening = /^( *)(<!--|#|\/\/) text: ([\w.-]+)( -->)?\n/m;
const place = new RegExp(`${opening.source}[\\s\\S]*?^ *(?:<!--|#|//) \\/text(?: -->)?$`, "gm");

/**
 * Writes the texts of a file between their marks, `text: <name>` and `/text` in comments.
 * @param path from the root
 * @throws Error if a mark names no text, or the file has no mark
 */
export function withTexts(path: string, content: string, isPublished: boolean): string {
  const link = posix.relative(posix.dirname(path), "docs/index.md");
  const written = content.replace(place, (_all, space: string, start: string, name: string, end = "") => {
    const text = texts.get(name);
    if (text === undefined)
      throw new Error(`${path} names the text ${name}, which is not in scripts/release/texts.ts.`);
    const shown = (isPublished ? text.registry : text.clone).replaceAll("{index}", link);
    const gap = start === "<!--" && shown !== "" ? "\n" : "";
    const body = shown === "" ? "" : `${gap}${space}${shown}\n${gap}`;
    return `${space}${start} text: ${name}${end}\n${body}${space}${start} /text${end}`;
  });
  if (!opening.test(content)) throw new Error(`${path} has no mark of a text.`);
  return written;
}
