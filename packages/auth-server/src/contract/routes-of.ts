import type { Contract, RunOperation } from "@telex/core/contract";
import { defineRoute, type PluginRoute } from "@telex/http";
import type { RouteTable } from "./route-table.ts";

/** The functions behind a contract. */
export type Runs<C extends Contract> = { readonly [K in keyof C]: RunOperation<C[K]> };

/** Makes a route of each operation of a contract: `<name>.<operation>`. */
export function routesOf<C extends Contract>(
  name: string,
  contract: C,
  table: RouteTable<C>,
  runs: Runs<C>,
): PluginRoute[] {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- ties the row, the schemas and the function of one operation
  const routeOf = <K extends keyof C & string>(key: K): PluginRoute => {
    const { summary, access, input, output, errors }: C[K] = contract[key];
    const run: RunOperation<C[K]> = runs[key];
    return defineRoute<C[K]["access"], C[K]["input"], C[K]["output"]>({
      ...table[key],
      name: `${name}.${key}`,
      summary,
      access,
      input,
      output,
      errors,
      run: (call) => run(call.caller, call.input, call.context),
    });
  };
  return Object.keys(contract).map(routeOf);
}
