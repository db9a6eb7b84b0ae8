import { z } from "zod";
import { describe, expect, it } from "vitest";
import { parseJson } from "@telex/ground/contract";
import { listOperations } from "../src/instance/contracts.ts";

/** Numbers that no double holds, and malformed ids. */
const odd = ["1e400", "-1e400", "12345678901234567890123", "12345678901234567890.0", "1e0", "1.0e2"];

const fields = listOperations().flatMap(({ name, operation: { input } }) =>
  input instanceof z.ZodObject ? Object.keys(input.shape).map((field) => [name, field, input] as const) : [],
);

describe("a number that no double holds, and an id that is written as a float", () => {
  it.each(fields)("is refused by %s in its field %s, and never taken as a text", (_name, field, input) => {
    for (const number of odd) {
      const value = z.record(z.string(), z.unknown()).parse(parseJson(`{"${field}":${number}}`))[field];
      const { error } = input.safeParse({ [field]: value });
      const problems = error?.issues.filter(({ path }) => path[0] === field) ?? [];
      // JSON reads 1e0 and 100 as numbers, which are valid for fields that are not ids.
      const isRight = Number.isSafeInteger(value);
      if (!isRight) expect([number, problems.length > 0]).toEqual([number, true]);
      expect(typeof value).toBe("number");
    }
  });
});

describe("an object with a length that is not a number", () => {
  it.each(fields)("is refused by %s in its field %s, or ignored, without an exception", (_name, field, input) => {
    const value: unknown = JSON.parse('{"length":[{"toString":""}]}');
    expect(() => input.safeParse({ [field]: value })).not.toThrow();
  });
});
