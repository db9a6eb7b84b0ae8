/** A block of code of a page. */
interface Block {
  readonly language: string;
  /** The words after the language: `run` for a command that the tests run, `run fails` where it ends with a failure. */
  readonly note: string;
  readonly text: string;
  /** Where the block ends in the page. */
  readonly end: number;
  readonly start: number;
}

/** A command of a page, and what the page says that it answers. */
export interface Command {
  readonly text: string;
  readonly fails: boolean;
  /** Null where the page shows nothing. */
  readonly shown: { readonly language: string; readonly text: string } | null;
}

const fence = /^```(\w*)([^\n]*)\n([\s\S]*?)^```$/gm;

function blocksOf(page: string): Block[] {
  return [...page.matchAll(fence)].map(({ 0: all, 1: language = "", 2: note = "", 3: text = "", index }) => ({
    language,
    note: note.trim(),
    text,
    start: index,
    end: index + all.length,
  }));
}

/** A program of a page that is marked with `run`, and what it prints. */
export interface Program {
  readonly text: string;
  readonly shown: { readonly language: string; readonly text: string } | null;
}

/** The programs of a page that are marked with `run`. The block right below one is what it prints. */
export function programsOf(page: string): Program[] {
  const blocks = blocksOf(page);
  return blocks.flatMap(({ language, note, text, end }, index) => {
    if (language !== "ts" || note !== "run") return [];
    const next = blocks[index + 1];
    const follows = next !== undefined && page.slice(end, next.start).trim() === "";
    return [{ text, shown: follows ? next : null }];
  });
}

/** The commands of a page that are marked with `run`. A block of another language right below one is what it answers. */
export function commandsOf(page: string): Command[] {
  const blocks = blocksOf(page);
  return blocks.flatMap((block, index) => {
    if (block.language !== "sh" || !block.note.startsWith("run")) return [];
    const next = blocks[index + 1];
    const follows = next !== undefined && next.language !== "sh" && page.slice(block.end, next.start).trim() === "";
    return [{ text: block.text, fails: block.note === "run fails", shown: follows ? next : null }];
  });
}

const addedLines = (diff: string): string =>
  diff
    .split("\n")
    .filter((line) => line.startsWith("+"))
    .map((line) => line.slice(1))
    .join("\n");

/** Code that a page shows, or what a change adds, and the file that it says it comes from. */
export const quotesOf = (page: string): { readonly from: string; readonly text: string }[] =>
  blocksOf(page).flatMap(({ language, note, text }) =>
    note.startsWith("from ") ? [{ from: note.slice(5), text: language === "diff" ? addedLines(text) : text }] : [],
  );

/** The page without its blocks of code. */
const proseOf = (page: string): string => page.replaceAll(fence, "").replaceAll(/`[^`\n]*`/g, "");

/** The targets of every link of a page. */
export const linksOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);

/** The anchor of a heading, as the sites that show the repository write it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

/** The anchors of a page. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const text = page.replaceAll(fence, "");
  const headings = [...text.matchAll(/^#+ +(.+)$/gm)].map(([, heading = ""]) => slugOf(heading));
  const marks = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...marks]);
}
