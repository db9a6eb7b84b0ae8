/** A value inside another, or undefined where the path leads nowhere. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** A text inside a value. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== "string") throw new TypeError(`No text at ${path.join(".")} in ${JSON.stringify(value)}.`);
  return found;
}

/** A list inside a value. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  if (!Array.isArray(found)) throw new TypeError(`No list at ${path.join(".")} in ${JSON.stringify(value)}.`);
  return found;
}

/** What a text says as JSON. */
export const parse = (text: string): unknown => JSON.parse(text);
