import type { Kind } from "./kind.ts";

/** Reads the effective value of a setting. */
export type Read = <T>(setting: Setting<T>) => T;

/**
 * One setting. Its name has three spellings: `rateLimits` in a file, `TELEX_RATE_LIMITS` in the environment and
 * `--rate-limits` as a flag.
 */
export interface Setting<T> {
  readonly name: string;
  readonly kind: Kind<T>;
  /** The default. It may depend on other settings. */
  readonly fallback: (read: Read) => T;
  readonly description: string;
  /** Masks secrets in a value that is shown. */
  readonly mask?: (shown: string) => string;
}

const isFunction = <T>(fallback: T | ((read: Read) => T)): fallback is (read: Read) => T =>
  typeof fallback === "function";

/** Declares a setting. `fallback` is its default, or derives it from other settings. */
export const define = <T>(
  name: string,
  kind: Kind<T>,
  fallback: T | ((read: Read) => T),
  description: string,
  mask?: (shown: string) => string,
): Setting<T> => ({
  name,
  kind,
  fallback: isFunction(fallback) ? fallback : () => fallback,
  description,
  ...(mask && { mask }),
});

/** `rateLimits` as `--rate-limits`. */
export const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** `rateLimits` as `TELEX_RATE_LIMITS`. */
export const variableOf = (name: string): string =>
  `TELEX_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
