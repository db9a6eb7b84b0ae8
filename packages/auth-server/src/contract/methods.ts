import type { Contract } from "@telex/core/contract";
import type { z } from "zod";

/** The methods of a contract. Each throws `TelexClientError`, and what `fetch` throws. */
export type AccountMethods<C extends Contract> = {
  readonly [K in keyof C]: (
    input: z.input<C[K]["input"]>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<z.output<C[K]["output"]>>;
};

/**
 * Checks that there is a method for each operation of a contract.
 * @param names has the names of all operations
 */
export function assertMethods<C extends Contract>(
  methods: object,
  names: { readonly [K in keyof C]: unknown },
): asserts methods is AccountMethods<C> {
  const missing = Object.keys(names).find((name) => typeof Reflect.get(methods, name) !== "function");
  if (missing !== undefined) throw new TypeError(`The operation ${missing} has no method.`);
}
