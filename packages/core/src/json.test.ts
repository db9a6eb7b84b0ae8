import { expect, it } from "vitest";
import { parseJson } from "./json.ts";

it.each(["1.0", "1e0", "1E2", "10e-1", "-1.0"])("takes %s for no id, wherever it stands", (source) => {
  const text = `{"groupId":${source},"at":[{"data":{"messageId":${source}}}],"id":${source}}`;
  expect(parseJson(text)).toEqual({ groupId: NaN, at: [{ data: { messageId: NaN } }], id: NaN });
});

it("leaves every other value as it is", () => {
  const text = '{"groupId":12,"id":"1e0","temperature":1.0,"content":"v1.0 and 2e5","nested":{"id":7,"top_p":1e-1}}';
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

it("reads what is deeper than the stack", () => {
  const text = `${"[".repeat(200_000)}1.5${"]".repeat(200_000)}`;
  expect(Array.isArray(parseJson(text))).toBe(true);
});

it("refuses what is no JSON", () => {
  expect(() => parseJson("{1.0")).toThrow(SyntaxError);
});
