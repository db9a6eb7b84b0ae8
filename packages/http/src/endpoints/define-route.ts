import type { ErrorCode, Telex } from "@telex/core";
import type { Access, CallContext, Operation, RunOperation } from "@telex/core/contract";
import { z } from "zod";
import { writers } from "./writers.ts";
import { pathFields, type Route } from "../routes.ts";
import { createEndpoint, type Endpoint, type RoutedOperation } from "./operations.ts";

interface DefinedOperation<A extends Access, I extends z.ZodType, O extends z.ZodType> extends Operation {
  readonly access: A;
  readonly input: I;
  readonly output: O;
}

type RunOf<A extends Access, I extends z.ZodType, O extends z.ZodType> = RunOperation<DefinedOperation<A, I, O>>;

/** One call of a route of a plug-in. */
export interface RouteCall<A extends Access, I extends z.ZodType, O extends z.ZodType> {
  readonly telex: Telex;
  /** The holder of a token, unless `access` lets others in. */
  readonly caller: Parameters<RunOf<A, I, O>>[0];
  /** The input, parsed by the schema. */
  readonly input: z.output<I>;
  readonly context: CallContext;
}

/** A route of a plug-in. */
export interface RouteDefinition<A extends Access, I extends z.ZodType, O extends z.ZodType> {
  /** `<plug-in>.<operation>`, such as `votes.tally`: for logs, errors and the OpenAPI document. */
  readonly name: string;
  readonly method: Route["method"];
  /** The path below the base path, such as `/plugins/votes`. A segment that begins with a colon is a field of the input. */
  readonly path: string;
  readonly summary: string;
  /** The callers that are let in. */
  readonly access: A;
  /** The input: the query of GET and DELETE, the JSON body of other methods, and the fields of the path. */
  readonly input: I;
  /** The `data` of the response; `outgoingStream` for the response `stream`. */
  readonly output: O;
  /** `stream` for a download that is created while it is read, such as an export. Default `envelope`. */
  readonly response?: "envelope" | "stream";
  /** Its errors, in addition to those of every operation. Default: none. */
  readonly errors?: readonly ErrorCode[];
  /** True for a DELETE whose input is a JSON body, such as one with a password, which must not be in a URL. Default false. */
  readonly hasBody?: boolean;
  /** True for an upload: `input` has the field `file`, an `incomingFile`, and otherwise only fields of the path. Default false. */
  readonly isUpload?: boolean;
  /** How many calls it counts as in the rate of a caller without a token. Default 1. */
  readonly cost?: number;
  /**
   * Runs the operation.
   * @throws TelexError one of `errors`
   */
  readonly run: (call: RouteCall<A, I, O>) => Promise<z.output<O>>;
}

/** A route for the option `routes` of `createHttp`. */
export interface PluginRoute extends RoutedOperation {
  /** Makes its endpoint on one instance. */
  readonly endpoint: (telex: Telex) => Endpoint;
}

/**
 * A route for `createHttp(telex, { routes: [...] })`. Tokens, scopes, rates, limits, the envelope and failures work as on the routes
 * of Telex, and it is in the OpenAPI document and the reference.
 * @throws TypeError for an invalid name or path, and for a field of the path that the input does not have
 * @example
 * const time = defineRoute({
 *   name: "clock.now",
 *   method: "GET",
 *   path: "/plugins/clock",
 *   summary: "Tells the time.",
 *   access: "chat",
 *   input: z.object({}),
 *   output: z.int(),
 *   run: async ({ telex }) => telex.clock.now(),
 * });
 */
export function defineRoute<const A extends Access, I extends z.ZodType, O extends z.ZodType>(
  definition: RouteDefinition<A, I, O>,
): PluginRoute {
  const {
    name,
    method,
    path,
    summary,
    access,
    input,
    output,
    errors = [],
    cost = 1,
    hasBody = false,
    isUpload = false,
    response = "envelope",
    run,
  } = definition;
  assertRoute(name, path, input);
  const isQuery = !hasBody && (method === "GET" || method === "DELETE");
  const body = { input: isUpload ? "upload" : isQuery ? "query" : "json", response } as const;
  const route: Route = { method, path, token: "header", ...body, cost };
  const operation: DefinedOperation<A, I, O> = { summary, access, input, output, errors };
  const endpoint: PluginRoute["endpoint"] = (telex) => {
    const call = telex.bind(name, operation, (caller, data, context) => run({ telex, caller, input: data, context }));
    return createEndpoint({ name, operation, route, call, write: writers[response] });
  };
  return { name, operation, route, endpoint };
}

function assertRoute(name: string, path: string, input: z.ZodType): void {
  if (!/^[a-z]\w*\.[a-z]\w*$/i.test(name))
    throw new TypeError(`The name of a route must look like votes.tally, not ${JSON.stringify(name)}.`);
  if (!/^(\/:?[\w.~-]+)+$/.test(path))
    throw new TypeError(`The path of ${name} must look like /plugins/votes/:id, not ${JSON.stringify(path)}.`);
  const fields = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  const missing = pathFields(path).find((field) => !fields.includes(field));
  if (missing !== undefined) throw new TypeError(`The input of ${name} has no field ${missing}, which its path names.`);
}

const placeOf = ({ method, path }: Pick<Route, "method" | "path">): string => `${method} ${path.replace(/:\w+/g, ":")}`;

function assertDistinct(values: readonly string[], what: string): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  if (twice !== undefined) throw new TypeError(`Two routes ${what} ${twice}.`);
}

/**
 * Checks that the routes of plug-ins have unique names and places.
 * @throws TypeError otherwise
 */
export function assertRoutes(
  routes: readonly PluginRoute[],
  own: readonly RoutedOperation[],
  pages: readonly string[],
): void {
  const names = new Set(own.map(({ name }) => name));
  assertDistinct([...names, ...routes.map(({ name }) => name)], "have the name");
  const taken = [...own.map(({ route }) => route), ...pages.map((path) => ({ method: "GET", path }) as const)];
  assertDistinct([...taken, ...routes.map(({ route }) => route)].map(placeOf), "are at");
}
