import {
  type CallContext,
  type Caller,
  type CapabilityName,
  capabilityNames,
  listOperations,
  type NamedOperation,
  type Operation,
  type Telex,
} from "@telex/core";
import { type Route, routes } from "../routes.ts";

/** An operation and where it lies in HTTP. */
export interface RoutedOperation extends NamedOperation {
  readonly capability: CapabilityName;
  readonly route: Route;
}

/** A routed operation of one instance. */
export interface Endpoint extends RoutedOperation {
  call(caller: Caller, input: unknown, context: CallContext): Promise<unknown>;
}

/** True for an operation that an installation may leave open, or that always is: it needs no token by itself. */
export const isOpen = ({ access }: Operation): boolean => access === "none" || typeof access === "object";

const rowsOf = (capability: CapabilityName): Readonly<Record<string, Route | null>> => routes[capability];

/** Every operation that has an address in HTTP. */
export const routedOperations = (): RoutedOperation[] =>
  capabilityNames.flatMap((capability) => {
    const rows = rowsOf(capability);
    return listOperations().flatMap((named) => {
      const route = named.name === `${capability}.${named.method}` ? rows[named.method] : null;
      return route === null || route === undefined ? [] : [{ ...named, capability, route }];
    });
  });

/** Every operation of an instance that has an address in HTTP. */
export const endpointsOf = (telex: Telex): Endpoint[] =>
  routedOperations().map((routed) => ({
    ...routed,
    call: (caller, input, context) => telex.call(routed.name, caller, input, context),
  }));
