import { suggestion } from "./nearest.ts";

/** The kind of value that an option accepts. */
export interface OptionKind {
  /** Completes the sentence "... must be". */
  readonly expected: string;
  /** True for a value that fits. */
  readonly fits: (value: unknown) => boolean;
  /** The options within an option that is an object. */
  readonly inner?: Readonly<Record<string, OptionKind>>;
}

/** A kind for every option of `T`: an option without a kind does not compile. */
export type OptionKinds<T> = { readonly [K in keyof Required<T>]: OptionKind };

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const isPlain = (value: unknown): boolean => isObject(value) && !Array.isArray(value);

const count: OptionKind = {
  expected: "a number, 0 or more",
  fits: (value) => typeof value === "number" && value >= 0,
};

const methodOf = (value: unknown, name: string): boolean =>
  isObject(value) && typeof Reflect.get(value, name) === "function";

/** The kinds from which tables of options are built. */
export const optionKinds = {
  text: { expected: "a string", fits: (value) => typeof value === "string" },
  /** The path below which a host mounts Telex: `""`, or one that begins with a slash and does not end with one. */
  basePath: {
    expected: 'a base path such as "/telex", which begins with a slash and does not end with one, or ""',
    fits: (value) => typeof value === "string" && /^(\/[\w.~-]+)*$/.test(value),
  },
  flag: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  object: { expected: "an object", fits: isObject },
  map: { expected: "a Map", fits: (value) => value instanceof Map },
  list: { expected: "an array", fits: Array.isArray },
  count,
  countUpTo: (max: number): OptionKind => ({
    expected: `a number from 0 to ${max}`,
    fits: (value) => typeof value === "number" && value >= 0 && value <= max,
  }),
  /** One of a few values. */
  oneOf: (...values: readonly (string | boolean)[]): OptionKind => ({
    expected: values.map((value) => JSON.stringify(value)).join(" or "),
    fits: (value) => values.some((allowed) => allowed === value),
  }),
  /** Any of several kinds. */
  anyOf: (...kinds: readonly OptionKind[]): OptionKind => ({
    ...kinds.find(({ inner }) => inner !== undefined),
    expected: kinds.map(({ expected }) => expected).join(" or "),
    fits: (value) => kinds.some(({ fits }) => fits(value)),
  }),
  /** An object with these methods. `maker` is an example of a function that creates one. */
  port: (methods: readonly string[], maker?: string): OptionKind => ({
    expected: `an object with ${methods.map((name) => `${name}()`).join(", ")}${maker === undefined ? "" : `, such as ${maker}`}`,
    fits: (value) => methods.every((name) => methodOf(value, name)),
  }),
  /** An object of limits, which are numbers, with the names of the defaults. */
  limits: (defaults: object): OptionKind => ({
    expected: "an object of limits",
    fits: isPlain,
    inner: Object.fromEntries(Object.keys(defaults).map((name) => [name, count])),
  }),
  /** An object of options. */
  shape: (inner: Readonly<Record<string, OptionKind>>): OptionKind => ({
    expected: "an object",
    fits: isPlain,
    inner,
  }),
} as const satisfies Readonly<Record<string, OptionKind | ((...input: never) => OptionKind)>>;

/**
 * Checks the options that a caller passes to a factory, for callers whose options no compiler has checked. An option that is
 * undefined counts as missing.
 * @param factory the name of the factory in errors, such as `createTelex`
 * @throws TypeError for an unknown option, with the nearest known one, or for an invalid value
 */
export function checkOptions(factory: string, values: unknown, kinds: Readonly<Record<string, OptionKind>>): void {
  if (!optionKinds.shape(kinds).fits(values)) throw new TypeError(`${factory} needs an object of options.`);
  checkInner(factory, "", values, kinds);
}

function checkInner(factory: string, path: string, values: unknown, kinds: Readonly<Record<string, OptionKind>>): void {
  const names = Object.keys(kinds);
  for (const [name, value] of Object.entries(values ?? {})) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) throw new TypeError(`${factory} has no option "${path}${name}".${suggestion(name, names)}`);
    if (value === undefined) continue;
    if (!kind.fits(value)) throw new TypeError(`The option "${path}${name}" of ${factory} must be ${kind.expected}.`);
    if (kind.inner !== undefined && isObject(value)) checkInner(factory, `${path}${name}.`, value, kind.inner);
  }
}
