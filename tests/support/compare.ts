/** Values that earlier steps of a trace saved, by name. */
export type Saved = Record<string, string>;

/** Replaces `{name}` by saved values. */
export const fill = (text: string, saved: Saved): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => saved[name] ?? placeholder);

/** True for an object that is not a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: Number.isSafeInteger,
  string: (value) => typeof value === "string" && value !== "",
};

/** True if a value satisfies a rule; null if the object is not a rule. */
function keeps(value: unknown, { $match, $any, $save, $saved }: Record<string, unknown>, saved: Saved): boolean | null {
  if (typeof $match === "string") return typeof value === "string" && new RegExp($match).test(value);
  if (typeof $any === "string") return kinds[$any]?.(value) ?? false;
  if (typeof $saved === "string") return String(value) === saved[$saved];
  if (typeof $save !== "string") return null;
  saved[$save] = String(value);
  return true;
}

const differ = (where: string, value: unknown, expected: unknown): string =>
  `${where}: ${JSON.stringify(value)} instead of ${JSON.stringify(expected)}`;

/**
 * The differences between a value and the expectation of a trace. The value must have exactly the named fields and list elements,
 * and satisfy the rules `$match` (a regular expression), `$any` (a kind), `$save` and `$saved` (a name).
 */
export function compare(value: unknown, expected: unknown, saved: Saved, where: string): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return [differ(where, value, expected)];
    return expected.flatMap((inner, index) => compare(value[index], inner, saved, `${where} ${index}`));
  }
  if (!isObject(expected)) return value === expected ? [] : [differ(where, value, expected)];
  const kept = keeps(value, expected, saved);
  if (kept !== null) return kept ? [] : [differ(where, value, expected)];
  if (!isObject(value)) return [differ(where, value, expected)];
  return Object.entries(expected).flatMap(([name, inner]) => compare(value[name], inner, saved, `${where} ${name}`));
}
