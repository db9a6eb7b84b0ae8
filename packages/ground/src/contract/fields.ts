import { z } from "zod";
import type { ProblemKey } from "../errors/keys.ts";
import { interfaceLimits } from "./interface-limits.ts";

/** The largest id: JSON numbers up to this one are exact in every client. */
export const maxId = Number.MAX_SAFE_INTEGER;

/** The number of Unicode code points of a text. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) pairs += 1;
  }
  return text.length - pairs;
}

const tooLong = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || codePoints(text) > max);

const tooShort = (text: string, min: number): boolean =>
  text.length < min || (text.length < 2 * min && codePoints(text) < min);

/** A text that matches `pattern`, of at most `max` code points. Any other value has the problem `problem`. */
export const word = (pattern: RegExp, max: number, problem: ProblemKey) =>
  z.string().regex(pattern, { error: problem }).meta({ maxLength: max });

/** The list to which the problems of a value are added. */
type Issues = z.core.$ZodRawIssue[];

/**
 * `schema`, and then `change` of its value, like `schema.transform(change)`. Zod's own `transform` and `superRefine` give
 * each value a function as a property. V8 puts functions that are assigned to a property among the old objects, so each of
 * them keeps its value, and everything that it refers to, in memory until a full collection.
 * @param change returns `z.NEVER` if it adds an issue
 */
export function convert<S extends z.ZodType, T>(schema: S, change: (value: z.output<S>, issues: Issues) => T) {
  const transform = z.transform((value: z.output<S>, { issues }) => change(value, issues));
  const parse = ({ value, issues }: z.core.ParsePayload<z.output<S>>): z.core.ParsePayload<T> => ({
    value: change(value, issues),
    issues,
  });
  // oxlint-disable-next-line no-underscore-dangle -- the name by which zod gives its schemas to others
  Object.assign(transform._zod, { parse, run: parse });
  return schema.pipe(transform);
}

/**
 * A text of `min` to `max` UTF-16 units. Zod's own checks of lengths also look at values that are not texts, and throw for some of
 * them, such as `{"length":[{"toString":""}]}`.
 */
export const shortText = (max: number, min = 0) =>
  z
    .string()
    .refine((value) => value.length >= min && value.length <= max)
    .meta({ minLength: min, maxLength: max });

/** A text of `min` to `max` code points without NUL and without half surrogate pairs, kept as it is. */
export const text = (min: number, max: number) =>
  z
    .string()
    .check(({ value, issues }) => {
      const fail = (message: ProblemKey) => issues.push({ code: "custom", input: value, message, continue: true });
      const bounds = { origin: "string", inclusive: true, input: value, continue: true } as const;
      if (min === 1 && value === "") fail("text_empty");
      else if (tooShort(value, min)) issues.push({ code: "too_small", minimum: min, ...bounds });
      if (value.includes("\0")) fail("text_nul");
      if (!value.isWellFormed()) fail("text_surrogate");
      else if (tooLong(value, max)) issues.push({ code: "too_big", maximum: max, ...bounds });
    })
    .meta({ minLength: min, maxLength: max, pattern: "^[^\\u0000]*$" });

/** A text of `min` to `max` characters for `Authorization: Bearer`: only the characters that this header can contain. */
export const secretText = (min: number, max: number) =>
  text(min, max)
    .regex(/^[!-~]*$/, { error: "secret" satisfies ProblemKey })
    .meta({ pattern: "^[!-~]*$" });

/** Wrong elements of a list after which the rest is not checked. */
const mostWrong = 8;

/** The parsed elements. Stops after 8 wrong ones, which are enough for a person. */
function parseElements<E extends z.ZodType>(element: E, values: readonly unknown[], issues: Issues): z.output<E>[] {
  const elements: z.output<E>[] = [];
  for (const [index, input] of values.entries()) {
    const { success, data, error } = element.safeParse(input);
    if (success) elements.push(data);
    else
      issues.push({ code: "invalid_element", origin: "set", key: index, issues: error.issues, input, path: [index] });
    if (issues.length >= mostWrong) break;
  }
  return issues.length === 0 ? elements : z.NEVER;
}

/**
 * A list of `min` to `max` elements. They are counted before any of them is checked, and after 8 wrong ones the rest is
 * not checked: the issue of `z.array` for a wrong element costs a hundred times as much as sending the element.
 * @param element the schema of each element
 * @param max how many elements there may be
 * @param min how many elements there must be; default 0
 */
export function list<E extends z.ZodType>(element: E, max: number, min = 0) {
  const { items } = z.toJSONSchema(z.array(element), { io: "input", unrepresentable: "any" });
  const bounds = { origin: "array", inclusive: true } as const;
  const values = z.custom<z.input<E>[]>().meta({ type: "array", minItems: min, maxItems: max, items });
  return convert(values, (input: unknown, issues): z.output<E>[] => {
    if (!Array.isArray(input)) issues.push({ code: "invalid_type", expected: "array", input });
    else if (input.length > max) issues.push({ code: "too_big", maximum: max, input, ...bounds });
    else if (input.length < min) issues.push({ code: "too_small", minimum: min, input, ...bounds });
    else return parseElements(element, input, issues);
    return z.NEVER;
  });
}

const isIdFrom =
  (min: 0 | 1, digits: RegExp) =>
  (value: unknown): boolean => {
    const number = typeof value === "string" && digits.test(value) ? Number(value) : value;
    return typeof number === "number" && Number.isSafeInteger(number) && number >= min;
  };

/** One check instead of a union with its issues, because lists of ids are long. */
const idFrom = (min: 0 | 1, digits: RegExp, description: string) =>
  convert(
    z.custom<number | string>(isIdFrom(min, digits), { error: "id" }).meta({
      anyOf: [
        { type: "integer", minimum: min, maximum: maxId },
        { type: "string", pattern: digits.source, maxLength: 16 },
      ],
    }),
    Number,
  ).meta({ description });

/** An id in a request: a positive whole number below 2^53, or its decimal digits. */
export const id = idFrom(1, /^[1-9]\d{0,15}$/, "A positive whole number below 2^53, as a number or in decimal digits.");

/** An {@link id}, or 0 for a room without one. */
export const idOrZero = idFrom(
  0,
  /^(0|[1-9]\d{0,15})$/,
  "Zero, or a positive whole number below 2^53, as a number or in decimal digits.",
);

/** An id in an answer. */
export const idOut = z.int().min(1);

/** An id in decimal digits, as text fields of the interface write it. */
export const idText = z.string().regex(/^[1-9]\d*$/);

/** ISO 8601 with milliseconds and a numeric offset from UTC (interface 2.3). */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/)
  .meta({ examples: ["2026-11-20T08:15:30.123+00:00"] });

/** The MD5 of a stored file (interface 2.8). Upper-case digits are accepted and converted to lower case. */
export const fileId = convert(word(/^[0-9a-fA-F]{32}$/, 32, "file_id"), (value) => value.toLowerCase());

const momentText = /^(?:\d{1,16}|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))$/;

function msOf(value: unknown): number {
  if (typeof value !== "string") return typeof value === "number" ? value : Number.NaN;
  if (!momentText.test(value)) return Number.NaN;
  return /^\d+$/.test(value) ? Number(value) : Date.parse(value);
}

const isMoment = (value: unknown): boolean => {
  const ms = msOf(value);
  return Number.isSafeInteger(ms) && ms >= 0;
};

/** A moment in a request: ISO 8601 with an offset, or Unix milliseconds. Read as Unix milliseconds. */
export const moment = convert(
  z.custom<number | string>(isMoment, { error: "moment" }).meta({
    anyOf: [
      { type: "integer", minimum: 0, maximum: maxId },
      { type: "string", pattern: momentText.source, maxLength: 40 },
    ],
  }),
  msOf,
).meta({ description: "ISO 8601 with an offset from UTC, or Unix milliseconds." });

/** The application that writes for a person. It names itself, and gets no rights from that. */
export const via = z
  .object({ kind: z.literal("mcp"), name: text(1, 64) })
  .meta({ id: "Via", description: "The application that wrote this for a person, as it names itself." });

/** Makes a repeated request safe: chosen by the client, one per content. */
export const nonce = text(1, interfaceLimits.nonceLength);
