/** True for objects, including arrays. */
export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A field of an untrusted value, or undefined. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** Parses JSON; undefined if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text in a field of an untrusted value, or the fallback. */
export function textOf(value: unknown, name: string, fallback: string): string {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : fallback;
}
