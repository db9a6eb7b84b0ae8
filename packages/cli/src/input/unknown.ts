/** True for an object, an array among them. */
export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A field of something that came from outside, or undefined. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** What a text of JSON says; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text in a field of something that came from outside, or the fallback. */
export function textOf(value: unknown, name: string, fallback: string): string {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : fallback;
}
