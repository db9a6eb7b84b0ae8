import { expect, it } from "vitest";
import { networkError, readJson, ServiceError } from "./service-error.ts";

const withCode = (code: unknown): Error => Object.assign(new Error("the key is sk-secret"), { code });

it.each([
  [withCode("ECONNRESET"), "ECONNRESET"],
  [withCode("UND_ERR_SOCKET"), "UND_ERR_SOCKET"],
  [withCode("sk-secret"), "unknown"],
  [withCode(7), "unknown"],
  [new Error("the key is sk-secret"), "unknown"],
  [null, "unknown"],
])("a failed connection (%s) is logged with its code only (%s), and the next one may succeed", (cause, code) => {
  const { message, isTransient, isRefusal } = networkError(cause);
  expect(message).toBe(`The connection to the AI service failed (${code}).`);
  expect([isTransient, isRefusal]).toEqual([true, false]);
});

it("a failure of the service stays as it is", () => {
  const failure = new ServiceError("The AI service answered 400.", { isRefusal: true });
  expect(networkError(failure)).toBe(failure);
});

it("for text that is not JSON, the failure may pass, and its message repeats nothing of the text", () => {
  expect(readJson('{"a":1}', "an event")).toEqual({ a: 1 });
  const read = (): unknown => readJson("{sk-secret", "an event");
  expect(read).toThrow(
    expect.objectContaining({ message: "The AI service sent an event that is not JSON.", isTransient: true }),
  );
});
