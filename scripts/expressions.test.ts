import { expect, it } from "vitest";
import { judge } from "./expressions.ts";

it.each([
  ["that tries each beginning to the end of the text", String.raw`\[CQ:([\w.-]+)((?:,[^,=\]]+=[^,\]]*)*)\]`, "g"],
  ["with a repeated part that repeats", "^(a+)+$", ""],
  ["that trims the end", String.raw`\s+$`, ""],
])("finds an expression %s", (_name, pattern, flags) => {
  expect(judge({ pattern, flags })).toBe("vulnerable");
});

it.each([
  [String.raw`\[CQ:([^[\]]*)\]`, "g"],
  [String.raw`^[\w.-]+$`, ""],
  [String.raw`^mongodb:\/\/[^\/]*$`, "v"],
])("takes the linear expression %s", (pattern, flags) => {
  expect(judge({ pattern, flags })).toBe("safe");
});
