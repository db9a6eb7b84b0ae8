import { expect, it } from "vitest";
import { asWritten, recalledSegments } from "./recalled.ts";

it("what somebody writes is stored as it is, and never as what a recall leaves", () => {
  const others = [[{ text: { text: "[消息已撤回]!" } }], [...recalledSegments, ...recalledSegments], []];
  for (const segments of others) expect(asWritten(segments)).toBe(segments);
  const written = asWritten(recalledSegments);
  expect(JSON.stringify(written)).not.toBe(JSON.stringify(recalledSegments));
  expect(written.map((segment) => ("text" in segment ? segment.text.text : "")).join("")).toBe("[消息已撤回]");
});
