import { expect, it } from "vitest";
import { parseInput } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import { aiContract } from "./contract.ts";

function issuesOf(tokens: number): TelexError["issues"] {
  try {
    parseInput(aiContract.embed, { model: "m", input: [Array(tokens).fill(1)] });
    return [];
  } catch (error) {
    return TelexError.from(error).issues;
  }
}

it.each([
  [0, { problem: "too_few", params: { min: "1" } }],
  [131_073, { problem: "too_many", params: { max: "131072" } }],
])("a list of %i tokens is refused with the bound that it breaks", (tokens, problem) => {
  expect(issuesOf(tokens)).toEqual([{ path: "input.0", ...problem }]);
});

it.each([1, 131_072])("a list of %i tokens is taken", (tokens) => {
  expect(issuesOf(tokens)).toEqual([]);
});
