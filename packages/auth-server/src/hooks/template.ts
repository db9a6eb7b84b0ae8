import { fieldOf } from "./read.ts";

/** Steps of a path that are followed. */
const mostSteps = 20;

/** The names and numbers of a path such as `alerts[0].labels.name`. */
const stepsOf = (path: string): string[] =>
  path
    .replaceAll(/[[\]\s]/g, ".")
    .split(".")
    .filter((step) => step !== "")
    .slice(0, mostSteps);

function valueAt(body: unknown, path: string): string {
  let value = body;
  for (const step of stepsOf(path)) value = fieldOf(value, step);
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
}

/**
 * Fills a template: `{{a.b[0].c}}` is the text, number or boolean at that path in the body, and empty for anything else.
 * @param most code points of the result that are needed; the rest may be missing
 */
export function fillTemplate(template: string, body: unknown, most: number): string {
  let filled = "";
  let end = 0;
  for (const match of template.matchAll(/\{\{([^{}]{1,200})\}\}/g)) {
    filled += template.slice(end, match.index) + valueAt(body, match[1] ?? "").slice(0, 2 * most);
    end = match.index + match[0].length;
    // A code point has at most two units.
    if (filled.length > 2 * most) return filled;
  }
  return filled + template.slice(end);
}
