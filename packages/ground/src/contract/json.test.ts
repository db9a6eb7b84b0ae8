import { fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { parseJson } from "./json.ts";

describe("the JSON of a request", () => {
  it.each(["1.0", "1e0", "1E2", "10e-1", "-1.0", "-0", "0.0", "1.5e+3", "1e400", "123456789012345678901.0"])(
    "has no number and no text for an id written as %s, wherever it is",
    (source) => {
      const text = `{"groupId":${source},"at":[{"data":{"messageId" :\n ${source} }}],"id":${source}}`;
      expect(parseJson(text)).toEqual({
        groupId: Infinity,
        at: [{ data: { messageId: Infinity } }],
        id: Infinity,
      });
    },
  );

  it("has none for such an id whose name is escaped", () => {
    expect(parseJson(String.raw`{"group\u0049d":1.0,"\u0069\u0064":1e0,"pageId":2}`)).toEqual({
      groupId: Infinity,
      id: Infinity,
      pageId: 2,
    });
  });

  it.each([
    '{"groupId":12,"id":"1e0","temperature":1.0,"content":"v1.0 and 2e5","nested":{"id":7,"top_p":1e-1}}',
    String.raw`{"content":"say \"groupId\": 1.0, please","more":"\\","idle":1.5,"valid":2.5,"ID":1.0,"paid":3.5}`,
    '["Id",":1.0,",{"Id":[1.0],"aId":":1.0,"}]',
  ])("keeps every other value: %s", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it("is read at any depth", () => {
    const text = `${"[".repeat(200_000)}1.5${"]".repeat(200_000)}`;
    expect(Array.isArray(parseJson(text))).toBe(true);
  });

  it.each([
    "{1.0",
    '{"id":1.}',
    '{"id":01.0}',
    '{"id":1.0',
    '{"id":1.e5}',
    '{"id":--0}',
    'nulId":1.0}',
    '{"id":1.0 2}',
  ])("is refused where it is none: %s", (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it("is the result of JSON.parse, apart from such ids", () => {
    const name = fc.constantFrom("id", "groupId", "Id", "i", 'x"id', "\\Id", "name");
    const value = fc.oneof(fc.string(), fc.integer(), fc.constantFrom("1.0,", ':1.0,"', 'Id":1.0,', '\\"id":1e0}'));
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value))), (object) => {
        const text = JSON.stringify(object);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
