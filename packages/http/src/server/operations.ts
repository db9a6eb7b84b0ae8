import {
  aiContract,
  avatarsContract,
  bucketContract,
  type CallContext,
  type Caller,
  type Contract,
  imagesContract,
  messagesContract,
  type Operation,
  pairingContract,
  type Telex,
  teleprinterContract,
  usersContract,
} from "@telex/core";
import { type CapabilityName, type Route, routes } from "../routes.ts";

/** The contracts behind the routes. */
const contracts: Readonly<Record<CapabilityName, Contract>> = {
  teleprinter: teleprinterContract,
  pairing: pairingContract,
  ai: aiContract,
  images: imagesContract,
  avatars: avatarsContract,
  bucket: bucketContract,
  users: usersContract,
  messages: messagesContract,
};

/** An operation and where it lies in HTTP. */
export interface RoutedOperation {
  readonly capability: CapabilityName;
  /** The name of the operation within its capability. */
  readonly name: string;
  readonly operation: Operation;
  readonly route: Route;
}

/** A routed operation of one instance. */
export interface Endpoint extends RoutedOperation {
  call(caller: Caller, input: unknown, context: CallContext): Promise<unknown>;
}

/** True for an operation that an installation may leave open, or that always is: it needs no token by itself. */
export const isOpen = ({ access }: Operation): boolean => access === "none" || typeof access === "object";

/** Every operation that lies in HTTP. */
export function routedOperations(): RoutedOperation[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a record are its keys
  const capabilities = Object.keys(contracts) as CapabilityName[];
  return capabilities.flatMap((capability) => {
    const rows: Readonly<Record<string, Route | null>> = routes[capability];
    return Object.entries(contracts[capability]).flatMap(([name, operation]) => {
      const route = rows[name] ?? null;
      return route === null ? [] : [{ capability, name, operation, route }];
    });
  });
}

/** Every operation of an instance that lies in HTTP. */
export function endpointsOf(telex: Telex): Endpoint[] {
  return routedOperations().map((routed) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names read from a table lose the types of methods
    const service = telex[routed.capability] as unknown as Readonly<Record<string, Endpoint["call"]>>;
    const call = service[routed.name];
    if (call === undefined) throw new TypeError(`Telex lacks the operation ${routed.capability}.${routed.name}.`);
    return { ...routed, call };
  });
}
