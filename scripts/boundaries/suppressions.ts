import type { Finding, Source } from "./source.ts";

/** Rule 6: `oxlint-disable-next-line rule -- reason` and `@ts-expect-error: reason` are allowed; without the reason they fail. */
export const checkSuppressions = (sources: readonly Source[]): Finding[] => sources.flatMap(suppressions);

function suppressions(source: Source): Finding[] {
  return source.comments
    .filter(({ value }) => isSuppression(value) && !hasReason(value))
    .map(({ start }) => ({
      path: source.path,
      line: source.lineOf(start),
      level: "error",
      message:
        "a suppression gives its reason: `oxlint-disable-next-line <rule> -- <reason>`, `@ts-expect-error: <reason>`",
    }));
}

const isSuppression = (comment: string): boolean =>
  /^\s*(?:(?:oxlint|eslint)-disable|@ts-(?:ignore|expect-error|nocheck))/.test(comment);

const hasReason = (comment: string): boolean => /--\s*\S|@ts-expect-error:?\s+\S/.test(comment);
