import type { Contract } from "@telex/core/contract";

/** The route of an operation over HTTP. */
interface AccountRoute {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path below the base path. A segment that begins with a colon is a field of the input. */
  readonly path: string;
  /** How many calls it counts as in the rate of a caller without a token. Default 1. */
  readonly cost?: number;
  /** True for a DELETE whose input is a JSON body. Default false: the query. */
  readonly hasBody?: boolean;
}

/** The routes of a contract, by the names of its operations. */
export type RouteTable<C extends Contract> = { readonly [K in keyof C]: AccountRoute };
