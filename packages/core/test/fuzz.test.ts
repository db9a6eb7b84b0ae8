import { fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { describeError, describeIssue } from "@telex/ground/errors";
import { type Caller, operator, type Telex, TelexError } from "../src/index.ts";
import { listOperations } from "../src/instance/contracts.ts";
import { ticks } from "@telex/conformance/testing";
import { createKit } from "./kit.ts";

/** Every operation of an instance, with a caller who may call it. */
const operationsOf = (telex: Telex, user: Caller) =>
  listOperations().map(({ name, operation: { access, input } }) => ({
    name,
    fields: "shape" in input && typeof input.shape === "object" ? Object.keys(input.shape ?? {}) : [],
    call: (given: unknown): Promise<unknown> => telex.call(name, access === "operator" ? operator : user, given),
  }));

const nasty = fc.oneof(
  fc.anything({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    "",
    "\0",
    "\ud800",
    "__proto__",
    "constructor",
    "../..",
    "1e9",
    "-1",
    "9007199254740993",
    " 1",
    "1 ",
    "٣",
    "x".repeat(20_000),
    -1,
    0,
    0.5,
    1e21,
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    true,
    [],
    {},
    [[[[]]]],
    10n,
    new Date(0),
  ),
  fc.record({ __proto__: fc.anything(), constructor: fc.anything(), length: fc.anything() }, { requiredKeys: [] }),
);

describe("every operation", () => {
  it("answers generated input or refuses it with an error of the closed list, in words of both languages", async () => {
    const { telex, alice, clock } = await createKit({ checkOutput: true });
    const operations = operationsOf(telex, alice);
    expect(operations.length).toBeGreaterThan(35);
    const inputOf = (fields: readonly string[]) =>
      fc.oneof(nasty, fc.record(Object.fromEntries(fields.map((field) => [field, nasty])), { requiredKeys: [] }));
    const calls = fc.constantFrom(...operations).chain((one) => inputOf(one.fields).map((input) => ({ one, input })));
    await fc.assert(
      fc.asyncProperty(calls, async ({ one, input }) => {
        let isOver = false;
        const outcome = one.call(input).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        void outcome.finally(() => (isOver = true));
        await ticks();
        // Draining a server that does not exist waits for its answer.
        if (!isOver) await clock.advance(10_000);
        const error: unknown = await outcome;
        if (error === null) return;
        expect([one.name, TelexError.is(error)]).toEqual([one.name, true]);
        const known = TelexError.from(error);
        expect(known.code).not.toBe("internal");
        for (const locale of ["en", "zh-CN"] as const) {
          expect(describeError(known, locale)).not.toMatch(/\{\w+\}|undefined|\[object/);
          for (const issue of known.issues ?? []) expect(describeIssue(issue, locale)).not.toMatch(/\{\w+\}|undefined/);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
