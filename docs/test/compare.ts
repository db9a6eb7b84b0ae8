/** Parts of an answer that differ from one run to the next. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)/g, "<time>"],
  [/\btlxp_[A-Za-z0-9_-]+/g, "<token>"],
  [/\b[0-9a-f]{32}\b/g, "<md5>"],
  [/\b\d{13}\b/g, "<ms>"],
  [/\b[B-Z]{4}-[B-Z]{4}\b/g, "<code>"],
  [/\b[A-Za-z0-9_-]{22,}\b/g, "<secret>"],
  [/http:\/\/127\.0\.0\.1:\d+/g, "<url>"],
  [/^\d\d:\d\d\b/gm, "<clock>"],
];

const steady = (text: string): string => changing.reduce((kept, [form, word]) => kept.replaceAll(form, word), text);

/** Fields whose numbers the tests do not know. */
const isLoose = (name: string): boolean => /(id|cursor|time|reset|seq)$/i.test(name);

/** Unix milliseconds of this century. */
const isMoment = (value: unknown): boolean => typeof value === "number" && value > 1e12;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function differsInRecord(shown: Readonly<Record<string, unknown>>, got: unknown, path: string): string | null {
  if (!isRecord(got)) return `${path} is ${JSON.stringify(got)}`;
  const extra = Object.keys(got).find((name) => !(name in shown));
  if (extra !== undefined && !("…" in shown)) return `${path}.${extra} is not shown`;
  for (const [name, value] of Object.entries(shown)) {
    const found = name === "…" ? null : differs(value, got[name], `${path}.${name}`, isLoose(name));
    if (found !== null) return found;
  }
  return null;
}

function differsInList(shown: readonly unknown[], got: unknown, path: string): string | null {
  if (!Array.isArray(got)) return `${path} is ${JSON.stringify(got)}`;
  const open = shown.at(-1) === "…";
  const items = open ? shown.slice(0, -1) : shown;
  if (got.length < items.length || (got.length > items.length && !open)) return `${path} has ${got.length} elements`;
  for (const [index, item] of items.entries()) {
    const found = differs(item, got[index], `${path}[${index}]`, false);
    if (found !== null) return found;
  }
  return null;
}

/** Where what came differs from what is shown; null where it does not. `"…"` stands for anything. */
function differs(shown: unknown, got: unknown, path: string, loose: boolean): string | null {
  if (shown === "…") return got === undefined ? `${path} is missing` : null;
  if (Array.isArray(shown)) return differsInList(shown, got, path);
  if (isRecord(shown)) return differsInRecord(shown, got, path);
  if ((loose || isMoment(shown)) && typeof shown === typeof got && shown !== null) return null;
  const same = typeof shown === "string" && typeof got === "string" ? steady(shown) === steady(got) : shown === got;
  return same ? null : `${path} is ${JSON.stringify(got)}, and not ${JSON.stringify(shown)}`;
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const linesOf = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();

/** A line `…` stands for any lines, `…` in a line for anything on it. */
function differsInText(shown: string, got: string): string | null {
  const pattern = escape(steady(linesOf(shown)))
    .replaceAll(/^…$/gm, String.raw`[\s\S]*?`)
    .replaceAll("…", ".*?");
  const text = steady(linesOf(got));
  return new RegExp(`^${pattern}$`).test(text) ? null : `it answers\n${got}\nand not\n${shown}`;
}

/** How the answer of a command differs from what the page shows; null where it is as shown. */
export function difference(shown: { readonly language: string; readonly text: string }, got: string): string | null {
  if (shown.language !== "json") return differsInText(shown.text, got);
  try {
    return differs(JSON.parse(shown.text), JSON.parse(got), "answer", false);
  } catch {
    return `it answers no JSON:\n${got}`;
  }
}
