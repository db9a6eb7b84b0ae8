import { expect, it } from "vitest";
import { aiContract } from "../ai/contract.ts";
import { listOperations } from "./contracts.ts";
import { assertNamedMethods, assertServices } from "./complete.ts";

const method = () => Promise.resolve();

const methodsOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, method]));

it("services with a method for each operation of their contracts are complete", () => {
  const ai = methodsOf(Object.keys(aiContract));
  expect(() => assertServices({ ai: aiContract }, { ai })).not.toThrow();
});

it.each([
  ["the service", {}],
  ["a method", { ai: methodsOf(Object.keys(aiContract).filter((name) => name !== "chat")) }],
  ["what should be a method", { ai: { ...methodsOf(Object.keys(aiContract)), chat: "chat" } }],
])("services are refused where %s is missing or wrong", (_what, services) => {
  expect(() => assertServices({ ai: aiContract }, services)).toThrow(/^The operation ai\.\w+ has no method\.$/);
});

it("the methods of an instance are refused if one operation has none", () => {
  const names = listOperations().map(({ name }) => name);
  expect(() => assertNamedMethods(methodsOf(names))).not.toThrow();
  expect(() => assertNamedMethods(methodsOf(names.slice(0, -1)))).toThrow(
    new TypeError(`The operation ${names.at(-1)} has no method.`),
  );
});
