import { fc } from "test-support/property";
import { expect, it } from "vitest";
import { numberSource } from "./number-source.ts";

it.each([
  ['{"identifier":1.0}', "1.0"],
  ['{"identifier" : \n-12E+3 ,"a":1}', "-12E+3"],
  ['{"a":{"identifier":2.0},"b":[{"identifier":3.0}],"identifier":9007199254740993}', "9007199254740993"],
  ['{"identifier":1.0,"identifier":-0}', "-0"],
  [String.raw`{"\u0069dentifier":1.50,"a\"":"}","b":"\\"}`, "1.50"],
  ['{"identifier":1.0,"a":"identifier"}', "1.0"],
  ['{"a":["identifier",1.0]}', undefined],
  ['{"identifier":1.0,"identifier":"1.0"}', undefined],
  ["{}", undefined],
])("the number of %s is %s", (text, source) => {
  expect(numberSource(text, "identifier")).toBe(source);
});

it("is found in any object", () => {
  const field = fc.oneof(fc.constant("identifier"), fc.string());
  const object = fc.dictionary(field, fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(object, fc.double({ noNaN: true, noDefaultInfinity: true }), (others, number) => {
      const text = `{"identifier":${JSON.stringify({ others })},"identifier":${number},${JSON.stringify({ others }).slice(1)}`;
      expect(numberSource(text, "identifier")).toBe(String(number));
    }),
  );
});
