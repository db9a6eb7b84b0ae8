import { operator } from "@telex/core";
import type { Telex } from "@telex/core";
import { isOperationName, operatorContracts } from "@telex/core/contract";
import type { Contract, Operation } from "@telex/core/contract";
import { parseInput } from "@telex/core/transport";
import { assertOperatorClient } from "@telex/http/client";
import type { Client, OperatorClient } from "@telex/http/client";

type Call = (service: string, method: string, input: object, operation: Operation) => Promise<unknown>;

/** All operations of the operator, implemented by one function. */
function operationsBy(call: Call): OperatorClient {
  const services = Object.entries<Contract>({ ...operatorContracts }).map(([service, contract]) => {
    const methods = Object.entries(contract).map(([method, operation]) => {
      return [method, (input: object = {}) => call(service, method, input, operation)] as const;
    });
    return [service, Object.fromEntries(methods)] as const;
  });
  const operations: object = Object.fromEntries(services);
  assertOperatorClient(operations);
  return operations;
}

/** A file in the form that operations take. */
const incoming = (file: Blob) => ({
  name: file instanceof File ? file.name : "",
  mime: file.type === "" ? "application/octet-stream" : file.type,
  bytes: file.stream(),
});

const withFile = (input: object): object =>
  "file" in input && input.file instanceof Blob ? { ...input, file: incoming(input.file) } : input;

/** The operations of the operator on an instance of this process. */
export const operationsIn = (telex: Telex): OperatorClient =>
  operationsBy(async (service, method, input) => {
    const name = `operator.${service}.${method}`;
    if (!isOperationName(name)) throw new TypeError(`There is no operation named ${name}.`);
    return await telex.call(name, operator, withFile(input));
  });

const methodOf = (client: Client, service: string, method: string): unknown =>
  Reflect.get(Object(Reflect.get(client.operator, service)), method);

/**
 * The operations of the operator on a server, for a token with the scope `admin`. It checks the input against the contracts before it
 * sends it, so that both places reject the same input.
 */
export const operationsAt = (client: Client): OperatorClient =>
  operationsBy(async (service, method, input, operation) => {
    parseInput(operation, withFile(input));
    const call = methodOf(client, service, method);
    if (typeof call !== "function") throw new TypeError(`${service}.${method} is not offered over the network.`);
    const result: unknown = await Reflect.apply(call, undefined, [input]);
    return result;
  });
