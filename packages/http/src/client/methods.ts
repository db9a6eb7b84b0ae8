import type { Telex } from "@telex/core";
import type { CapabilityName } from "@telex/core/contract";
import type { IncomingFile } from "@telex/core/transport";
import { adminRoutes, type NotOffered, type Route, routes } from "../routes.ts";

/** Options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

type Rows = typeof routes;
type RouteRows = Readonly<Record<string, Route | NotOffered | null>>;
type InputOf<M> = M extends (caller: never, input: infer I, context?: never) => unknown ? I : never;
type OutputOf<M> = M extends (caller: never, input: never, context?: never) => Promise<infer O> ? O : never;

/** The input of a call: as the operation takes it, with a `Blob` or `File` for an upload. */
type Sent<I> = I extends { readonly file: IncomingFile } ? Omit<I, "file"> & { readonly file: Blob } : I;

/** The result of a call: as the operation returns it, with a `Blob` for a picture or a file. */
type Received<R, O> = R extends { readonly response: "jpeg" | "file" } ? Blob : O;

/** True for an input that may be omitted: one without fields (an open record), or without required fields. */
type IsOptional<I> = string extends keyof I ? true : Partial<I> extends I ? true : false;

type Arguments<I> = IsOptional<I> extends true ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions];

type ClientMethod<R, M> = (...given: Arguments<Sent<InputOf<M>>>) => Promise<Received<R, OutputOf<M>>>;

type ClientCapability<C extends CapabilityName> = {
  readonly [O in keyof Rows[C] & keyof Telex[C] as Rows[C][O] extends null ? never : O]: ClientMethod<
    Rows[C][O],
    Telex[C][O]
  >;
};

type Operator = Telex["operator"];
type AdminRows = typeof adminRoutes;

/** The operations of the operator, for a token with the scope `admin`. */
export type OperatorClient = {
  readonly [C in keyof Operator]: {
    readonly [
      O in keyof AdminRows[C] & keyof Operator[C] as AdminRows[C][O] extends NotOffered ? never : O
    ]: ClientMethod<AdminRows[C][O], Operator[C][O]>;
  };
};

/** Every operation of HTTP, by capability. Methods throw {@link TelexClientError}, and what `fetch` throws. */
export type Client = { readonly [C in CapabilityName]: ClientCapability<C> } & { readonly operator: OperatorClient };

export type Fields = Readonly<Record<string, unknown>>;

/** A method as the table of routes makes it; {@link Client} has its input and result. */
export type Method = (input?: Fields, callOptions?: CallOptions) => Promise<unknown>;

type RouteTable = Readonly<Record<string, RouteRows>>;

/** The routes of a table, each with its capability and the name of its method. */
const listRoutes = (table: RouteTable) =>
  Object.entries(table).flatMap(([capability, rows]) =>
    Object.entries(rows).flatMap(([name, route]) =>
      route === null || "notOffered" in route ? [] : [{ capability, name, route }],
    ),
  );

function methodsOf(table: RouteTable, create: (route: Route) => Method): Record<string, Record<string, Method>> {
  const methods: Record<string, Record<string, Method>> = {};
  for (const { capability, name, route } of listRoutes(table)) (methods[capability] ??= {})[name] = create(route);
  return methods;
}

function assertMethods(table: RouteTable, methods: object): void {
  for (const { capability, name } of listRoutes(table)) {
    const method: unknown = Reflect.get(Object(Reflect.get(methods, capability)), name);
    if (typeof method !== "function") throw new TypeError(`The operation ${capability}.${name} has no method.`);
  }
}

/**
 * Checks that there is a method for each operation that admins can call.
 * @throws TypeError if a method is missing
 */
export function assertOperatorClient(methods: object): asserts methods is OperatorClient {
  assertMethods(adminRoutes, methods);
}

function assertClient(methods: { readonly operator: object }): asserts methods is Client {
  assertMethods(routes, methods);
  assertOperatorClient(methods.operator);
}

/** The methods of a client. `create` makes one from its route. */
export function createMethods(create: (route: Route) => Method): Client {
  const methods = { ...methodsOf(routes, create), operator: methodsOf(adminRoutes, create) };
  assertClient(methods);
  return methods;
}
