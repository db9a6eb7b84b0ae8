/** A character that makes a name before it a longer word or another character. */
const continuation = /^[\p{L}\p{M}\p{N}\p{EMod}_\u200D]/u;

type Names = readonly string[];

/** Finds the longest name that a text has at a place, and that ends there; "" if it has none. */
function createFinder(all: Names): (text: string, at: number) => string {
  // Names with the same beginning, by the character that follows it. A text asks for few of the beginnings of thousands of names.
  const branches = new Map<Names, ReadonlyMap<string, Names>>();
  return (text, at) => {
    let end = at;
    for (let to = at, names: Names | undefined = all; names !== undefined && to <= text.length; to += 1) {
      const next: ReadonlyMap<string, Names> =
        branches.get(names) ?? Map.groupBy(names, (name) => name.charAt(to - at));
      branches.set(names, next);
      if (next.has("") && !continuation.test(text.slice(to, to + 2))) end = to;
      names = next.get(text.charAt(to));
    }
    return text.slice(at, end);
  };
}

/**
 * The names that texts mention: those after an `@` that is not in the middle of a word, as in an address. Of several names that fit, the longest
 * one counts. Each `@` takes time for the longest name, and not for each of thousands of names.
 */
export function namesIn(texts: readonly string[], names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const find = createFinder(names);
  for (const text of texts)
    for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
      const name = /\w/.test(text.charAt(at - 1)) ? "" : find(text, at + 1);
      if (name !== "") found.add(name);
      at += name.length;
    }
  return found;
}
