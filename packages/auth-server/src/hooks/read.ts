/** A value of JSON whose form is not known. */
type Json = unknown;

/** The field of an object, or undefined. */
export const fieldOf = (value: Json, name: string): Json =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** A text, without spaces around it; `""` for anything else. */
export const textOf = (value: Json): string => (typeof value === "string" ? value.trim() : "");

/** The first elements of a list; none for anything else. */
export const listOf = (value: Json, most: number): readonly Json[] =>
  Array.isArray(value) ? value.slice(0, most) : [];

/** The lines that have a text. */
export const linesOf = (...lines: readonly string[]): string => lines.filter((line) => line !== "").join("\n");
