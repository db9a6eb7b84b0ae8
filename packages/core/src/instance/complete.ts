import type { Caller, CallContext, Contract } from "@telex/ground/contract";
import { listOperations, type OperationName, type OperationOutput, type Services } from "./contracts.ts";

/** The method of every operation of an instance, by the name of the operation. */
export type NamedMethods = {
  readonly [N in OperationName]: (caller: Caller, input: unknown, context?: CallContext) => Promise<OperationOutput<N>>;
};

function assertMethod(methods: unknown, key: string, name: string): void {
  const method: unknown = Reflect.get(Object(methods), key);
  if (typeof method !== "function") throw new TypeError(`The operation ${name} has no method.`);
}

/**
 * Checks that there is a method for each operation of a table of contracts.
 * @throws TypeError if a method is missing
 */
export function assertServices<T extends Readonly<Record<keyof T, Contract>>>(
  table: T,
  services: object,
): asserts services is Services<T> {
  for (const [capability, contract] of Object.entries<Contract>(table)) {
    const service: unknown = Reflect.get(services, capability);
    for (const operation of Object.keys(contract)) assertMethod(service, operation, `${capability}.${operation}`);
  }
}

/**
 * Checks that there is a method for each operation of an instance.
 * @throws TypeError if a method is missing
 */
export function assertNamedMethods(methods: object): asserts methods is NamedMethods {
  for (const { name } of listOperations()) assertMethod(methods, name, name);
}
