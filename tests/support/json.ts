/** A nested value; undefined if the path does not exist. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** A nested text. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== "string") throw new TypeError(`No text at ${path.join(".")} in ${JSON.stringify(value)}.`);
  return found;
}

/** A nested list. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  if (!Array.isArray(found)) throw new TypeError(`No list at ${path.join(".")} in ${JSON.stringify(value)}.`);
  return found;
}

/** Parses JSON. */
export const parse = (text: string): unknown => JSON.parse(text);
