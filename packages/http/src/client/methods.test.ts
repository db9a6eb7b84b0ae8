import { expect, it } from "vitest";
import { assertOperatorClient, createMethods } from "./methods.ts";

const { operator } = createMethods(() => () => Promise.resolve());

it("the operations of the operator are complete with a method for each route of an admin", () => {
  expect(() => assertOperatorClient(operator)).not.toThrow();
});

it.each([
  ["a capability is missing", { ...operator, users: undefined }, "users.add"],
  ["a method is missing", { ...operator, server: {} }, "server.status"],
  ["something is no function", { ...operator, server: { ...operator.server, status: "ok" } }, "server.status"],
])("the operations of the operator are refused if %s", (_what, methods, missing) => {
  expect(() => assertOperatorClient(methods)).toThrow(new TypeError(`The operation ${missing} has no method.`));
});
