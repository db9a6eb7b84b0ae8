import { operator, type Telex } from "@telex/core";
import type { Contract } from "@telex/core/contract";
import { type AccountMethods, assertMethods } from "./methods.ts";
import type { Runs } from "./routes-of.ts";

/** The operations of a contract, called by the operator in the same process. */
export function operationsOf<C extends Contract>(
  telex: Pick<Telex, "bind">,
  name: string,
  contract: C,
  runs: Runs<C>,
): AccountMethods<C> {
  const methodOf = <K extends keyof C & string>(key: K) => {
    const call = telex.bind<C[K]>(`${name}.${key}`, contract[key], runs[key]);
    return [key, (input: unknown) => call(operator, input)] as const;
  };
  const methods: object = Object.fromEntries(Object.keys(contract).map(methodOf));
  assertMethods<C>(methods, contract);
  return methods;
}
